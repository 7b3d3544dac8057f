"""The settings' tab: what a visitor may set, checked before it applies."""
