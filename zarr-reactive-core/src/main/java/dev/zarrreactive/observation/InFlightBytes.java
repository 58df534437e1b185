package dev.zarrreactive.observation;

/** The bytes, encoded and decoded, that the operations under way on one opened hierarchy hold. */
public interface InFlightBytes {
  /** How many they are now. */
  long held();

  /** The bound that was set. */
  long most();
}
