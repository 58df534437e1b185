package dev.zarrreactive.observation;

/**
 * The bytes, encoded and decoded, that the operations under way on one opened hierarchy hold, or on
 * all hierarchies that share its bound.
 */
public interface InFlightBytes {
  /** The number of bytes held now. */
  long held();

  /** The maximum that the options set. */
  long most();
}
