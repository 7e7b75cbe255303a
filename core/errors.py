"""The errors a caller may see; each says where, which rule, what value, what to do."""


class CoreError(ValueError):
    """Anything wrong with what the caller gave."""


class InputError(CoreError):
    """Data that cannot be read: a relevance string, a run, a qrels file."""


class ParameterError(CoreError):
    """A parameter outside its rule, or parameters that contradict each other."""


class UnknownMetricError(CoreError):
    """A metric name that the registry does not have."""


class LimitError(CoreError):
    """Input larger than the stated limits."""
