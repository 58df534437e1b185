package dev.zarrreactive.internal.context;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;

/**
 * Checks whether an array can be read or written, before its first request to the store.
 *
 * @param array the array
 * @param largest the codec of its largest chunks
 * @param canEncode true if all its codecs can encode
 */
public record ArrayChecks(ArrayStorage array, ChunkCodec largest, boolean canEncode) {

  /**
   * Checks that the unit of decoding fits into memory: a chunk, or an innermost chunk of a shard.
   *
   * @throws UnsupportedFeatureException if it is larger than a Java array
   */
  public void readable() {
    size(unit());
  }

  /**
   * Returns the codec of the unit of decoding: of the largest chunk, or of an innermost chunk of a
   * shard.
   */
  public ChunkCodec unit() {
    ChunkCodec unit = largest;
    for (ShardLayout shard = unit.shardLayout(); shard != null; shard = unit.shardLayout()) {
      unit = shard.innerCodec();
    }
    return unit;
  }

  /**
   * Checks that elements have a fixed size in memory.
   *
   * @throws UnsupportedFeatureException if the data type has a variable length
   */
  public void fixedSize() {
    fixedSize(array.metadata().dataType());
  }

  /** Checks a type of converted elements, as {@link #fixedSize()}. */
  public void fixedSize(DataType elements) {
    if (elements instanceof VariableLengthType type) {
      throw new UnsupportedFeatureException(
          "elements of "
              + type
              + " have a variable size in memory and have no place in a buffer;"
              + " read(selection) and chunks(selection) give them as objects",
          place());
    }
  }

  /**
   * Checks that whole chunks fit into memory, even if they are shards.
   *
   * @throws UnsupportedFeatureException if a chunk is larger than a Java array
   */
  public void wholeReadable() {
    size(largest);
  }

  private void size(ChunkCodec codec) {
    if (!codec.representation().fitsOneArray()) {
      throw new UnsupportedFeatureException(
          "chunks of shape "
              + codec.representation().shape()
              + " are larger than one Java array holds (2 GiB)",
          place());
    }
  }

  /**
   * Checks that a selection's elements fit into memory, in the type in which they are wanted.
   *
   * @throws UnsupportedFeatureException if they exceed the size of a Java array
   */
  public void result(Shape selected, DataType type) {
    try {
      ElementMemory.slots(type, selected);
    } catch (IllegalArgumentException e) {
      throw new UnsupportedFeatureException(String.valueOf(e.getMessage()), place());
    }
  }

  /**
   * Checks that chunks may be written, before the first of them is.
   *
   * @throws dev.zarrreactive.error.StoreCapabilityException if the store is read-only
   * @throws UnsupportedFeatureException if a part of the metadata is unknown, or belongs to a draft
   */
  public void writable() {
    wholeReadable();
    changeable();
  }

  /**
   * Checks that the metadata may be changed.
   *
   * @throws dev.zarrreactive.error.StoreCapabilityException if the store is read-only
   * @throws UnsupportedFeatureException if a part of the metadata is unknown, or belongs to a draft
   */
  public void changeable() {
    storeWritable();
    ArrayMetadata metadata = array.metadata();
    if (metadata.draft() != null) {
      throw metadata.draft().refusesWrites(place());
    }
    if (!canEncode || !metadata.isWritable()) {
      throw new UnsupportedFeatureException(
          "the array has a codec or storage transformer that is unknown here and may be ignored"
              + " by readers, so that it can be read but not written",
          place());
    }
  }

  /**
   * Checks that the store accepts values.
   *
   * @throws dev.zarrreactive.error.StoreCapabilityException if the store is read-only
   */
  public void storeWritable() {
    Store store = array.store();
    if (!store.capabilities().contains(StoreCapability.WRITE)) {
      throw StoreCapability.WRITE.refusal(store, "be written to", place());
    }
  }

  private Location place() {
    return Location.ofNode(array.path().value());
  }
}
