"""From the state of a page to what it shows; slow work of core goes through `cache`."""
