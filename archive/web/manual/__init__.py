"""The documentation as pages of the viewer: `docs/`, README, the changes and the measured results."""
