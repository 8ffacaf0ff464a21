"""`/import`: a file is dropped, shown as it is understood, its columns set right, and kept or thrown away."""
