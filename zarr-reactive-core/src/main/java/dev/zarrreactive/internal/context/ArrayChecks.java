package dev.zarrreactive.internal.context;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;

/**
 * What can be done with an array at all, looked at before anything is asked of its store.
 *
 * @param array where it is
 * @param largest the codec of its largest chunks
 * @param canEncode whether all its codecs can encode
 */
public record ArrayChecks(ArrayStorage array, ChunkCodec largest, boolean canEncode) {

  /**
   * Checks that what is decoded at a time fits into memory: chunks, or where they are shards the
   * innermost ones.
   *
   * @throws UnsupportedFeatureException where it is larger than a Java array
   */
  public void readable() {
    size(unit());
  }

  /** The codec of the largest chunks that are decoded alone: where they are shards, innermost. */
  public ChunkCodec unit() {
    ChunkCodec unit = largest;
    for (ShardLayout shard = unit.shardLayout(); shard != null; shard = unit.shardLayout()) {
      unit = shard.innerCodec();
    }
    return unit;
  }

  /**
   * Checks that elements have images, all of one size.
   *
   * @throws UnsupportedFeatureException where the data type has a variable length
   */
  public void fixedSize() {
    if (array.metadata().dataType() instanceof VariableLengthType type) {
      throw new UnsupportedFeatureException(
          "elements of "
              + type
              + " have no fixed size in memory and so no bytes to stream;"
              + " read(selection) and chunks(selection) give them as objects",
          place());
    }
  }

  /**
   * Checks that whole chunks fit into memory, also those that are shards.
   *
   * @throws UnsupportedFeatureException where one is larger than a Java array
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
   * Checks that a selection's elements fit into memory.
   *
   * @throws UnsupportedFeatureException where they are more than a Java array holds
   */
  public void result(Shape selected) {
    try {
      ElementMemory.slots(array.metadata().dataType(), selected);
    } catch (IllegalArgumentException e) {
      throw new UnsupportedFeatureException(String.valueOf(e.getMessage()), place());
    }
  }

  /**
   * Checks that chunks may be written, before anything is.
   *
   * @throws StoreCapabilityException where the store takes no values
   * @throws UnsupportedFeatureException where a part of the metadata is not understood, or is of a
   *     draft
   */
  public void writable() {
    wholeReadable();
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
   * Checks that the store takes values.
   *
   * @throws StoreCapabilityException where it does not
   */
  public void storeWritable() {
    Store store = array.store();
    if (!store.capabilities().contains(StoreCapability.WRITE)) {
      throw new StoreCapabilityException(
          store + " cannot be written to: it has " + store.capabilities(), place());
    }
  }

  private Location place() {
    return Location.ofNode(array.path().value());
  }
}
