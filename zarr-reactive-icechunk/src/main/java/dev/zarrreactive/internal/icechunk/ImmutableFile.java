package dev.zarrreactive.internal.icechunk;

/** A file that never changes once it is stored, decoded. */
public interface ImmutableFile {
  /** The bytes that it occupies. */
  long weight();
}
