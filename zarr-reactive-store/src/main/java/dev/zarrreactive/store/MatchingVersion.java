package dev.zarrreactive.store;

/** The value has this version. */
record MatchingVersion(Version version) implements Precondition {}
