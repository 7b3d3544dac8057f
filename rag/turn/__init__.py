"""One turn of a conversation, stage by stage: what it goes on from, what it finds, what it answers."""
