"""The benchmark: what the audit costs, as ratios to a bare pass-through in the same run."""
