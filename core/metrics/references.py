"""The papers behind the metrics: key to full reference."""

from typing import Final

REFERENCES: Final[dict[str, str]] = {
    "moffat_zobel_2008": (
        "A. Moffat and J. Zobel. Rank-biased precision for measurement of retrieval "
        "effectiveness. ACM Transactions on Information Systems 27(1), article 2, 2008."
    ),
    "zhang_park_moffat_2008": (
        "Y. Zhang, L. A. F. Park and A. Moffat. Parameter sensitivity in rank-biased "
        "precision. Australasian Document Computing Symposium, 2008."
    ),
    "ahlgren_gronqvist_2008": (
        "P. Ahlgren and L. Grönqvist. Evaluation of retrieval effectiveness with incomplete "
        "relevance data: theoretical and experimental comparison of three measures. "
        "Information Processing and Management 44(1):212-225, 2008."
    ),
    "moffat_2013": (
        "A. Moffat. Seven numeric properties of effectiveness metrics. Asia Information "
        "Retrieval Societies Conference, 2013, pages 1-12."
    ),
    "sakai_2007": (
        "T. Sakai. On the properties of evaluation metrics for finding one highly relevant "
        "document. IPSJ Digital Courier 3:643-660, 2007."
    ),
    "buckley_voorhees_2004": (
        "C. Buckley and E. M. Voorhees. Retrieval evaluation with incomplete information. "
        "ACM SIGIR, 2004, pages 25-32."
    ),
    "jarvelin_kekalainen_2002": (
        "K. Järvelin and J. Kekäläinen. Cumulated gain-based evaluation of IR techniques. "
        "ACM Transactions on Information Systems 20(4):422-446, 2002."
    ),
    "burges_2005": (
        "C. Burges et al. Learning to rank using gradient descent. International Conference "
        "on Machine Learning, 2005, pages 89-96."
    ),
    "moffat_2017": (
        "A. Moffat, P. Bailey, F. Scholer and P. Thomas. Incorporating user expectations "
        "and behavior into the measurement of search effectiveness. ACM Transactions on "
        "Information Systems 35(3), article 24, 2017."
    ),
}
