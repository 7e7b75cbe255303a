"""From the state of a page to what it shows: pure functions between core and the figures."""
