// A target needs a file; this one carries the precompiled headers.
