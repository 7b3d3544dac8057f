"""What a turn does about evidence: search anew, answer from what is in hand, or do without."""
