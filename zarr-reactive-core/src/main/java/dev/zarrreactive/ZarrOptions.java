package dev.zarrreactive;

import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.codec.ShardReading;
import dev.zarrreactive.internal.pipeline.CodecScheduler;
import dev.zarrreactive.internal.pipeline.Limits;
import dev.zarrreactive.metadata.Drafts;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * What the operations on nodes may use. Immutable; each {@code with} method makes a changed copy.
 */
public final class ZarrOptions {
  private static final long DEFAULT_IN_FLIGHT_BYTES =
      Math.min(256L << 20, Runtime.getRuntime().maxMemory() / 4);

  private static final ZarrOptions DEFAULTS =
      new ZarrOptions(
          CodecRegistry.standard(),
          64,
          DEFAULT_IN_FLIGHT_BYTES,
          false,
          true,
          null,
          Drafts.none(),
          ShardReading.defaults());

  private final CodecRegistry codecs;
  private final int maxConcurrency;
  private final long maxInFlightBytes;
  private final boolean writeEmptyChunks;
  private final boolean consolidatedMetadata;
  private final @Nullable Scheduler codecScheduler;
  private final Drafts drafts;
  private final ShardReading shardReading;

  private ZarrOptions(
      CodecRegistry codecs,
      int maxConcurrency,
      long maxInFlightBytes,
      boolean writeEmptyChunks,
      boolean consolidatedMetadata,
      @Nullable Scheduler codecScheduler,
      Drafts drafts,
      ShardReading shardReading) {
    this.codecs = codecs;
    this.maxConcurrency = maxConcurrency;
    this.maxInFlightBytes = maxInFlightBytes;
    this.writeEmptyChunks = writeEmptyChunks;
    this.consolidatedMetadata = consolidatedMetadata;
    this.codecScheduler = codecScheduler;
    this.drafts = drafts;
    this.shardReading = shardReading;
  }

  /**
   * The defaults: the standard codecs, 64 chunks and the smaller of 256 MiB and a quarter of the
   * heap in flight, chunks that are all fill value erased instead of written, consolidated metadata
   * used where a group has them.
   */
  public static ZarrOptions defaults() {
    return DEFAULTS;
  }

  /** With these codecs. */
  public ZarrOptions withCodecs(CodecRegistry registry) {
    return new ZarrOptions(
        registry,
        maxConcurrency,
        maxInFlightBytes,
        writeEmptyChunks,
        consolidatedMetadata,
        codecScheduler,
        drafts,
        shardReading);
  }

  /**
   * With at most so many chunks of one operation in flight. A stream of chunks also fetches at most
   * so many ahead of the demand.
   */
  public ZarrOptions withMaxConcurrency(int chunks) {
    if (chunks < 1) {
      throw new IllegalArgumentException("maxConcurrency must be at least 1, not " + chunks);
    }
    return new ZarrOptions(
        codecs,
        chunks,
        maxInFlightBytes,
        writeEmptyChunks,
        consolidatedMetadata,
        codecScheduler,
        drafts,
        shardReading);
  }

  /**
   * With at most so many bytes of one operation, encoded and decoded, in flight; one chunk that is
   * larger goes through alone.
   */
  public ZarrOptions withMaxInFlightBytes(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("maxInFlightBytes must be at least 1, not " + bytes);
    }
    return new ZarrOptions(
        codecs,
        maxConcurrency,
        bytes,
        writeEmptyChunks,
        consolidatedMetadata,
        codecScheduler,
        drafts,
        shardReading);
  }

  /** With chunks that are all fill value stored ({@code true}) or erased ({@code false}). */
  public ZarrOptions withWriteEmptyChunks(boolean write) {
    return new ZarrOptions(
        codecs,
        maxConcurrency,
        maxInFlightBytes,
        write,
        consolidatedMetadata,
        codecScheduler,
        drafts,
        shardReading);
  }

  /**
   * With consolidated metadata used where a group has them ({@code true}), or ignored ({@code
   * false}), for instance since another program may have changed nodes after consolidating them.
   */
  public ZarrOptions withConsolidatedMetadata(boolean use) {
    return new ZarrOptions(
        codecs,
        maxConcurrency,
        maxInFlightBytes,
        writeEmptyChunks,
        use,
        codecScheduler,
        drafts,
        shardReading);
  }

  /**
   * With chunks encoded and decoded on the user's scheduler, which stays the user's to dispose of.
   * Never Reactor's {@code parallel()}: a long decode would delay every timer of the process.
   */
  public ZarrOptions withCodecScheduler(Scheduler scheduler) {
    return new ZarrOptions(
        codecs,
        maxConcurrency,
        maxInFlightBytes,
        writeEmptyChunks,
        consolidatedMetadata,
        Objects.requireNonNull(scheduler),
        drafts,
        shardReading);
  }

  /**
   * With nodes of these drafts of Zarr v3 read too; by default of none. Such nodes can only be
   * read, and have {@link ZarrNode#warnings() warnings}. Opening any other node costs as much as
   * before; to find that there is none at a path costs a look at the root (2022) or a listing
   * (2023).
   */
  public ZarrOptions withDrafts(Drafts accepted) {
    return new ZarrOptions(
        codecs,
        maxConcurrency,
        maxInFlightBytes,
        writeEmptyChunks,
        consolidatedMetadata,
        codecScheduler,
        accepted,
        shardReading);
  }

  /** With inner chunks read from shards so. */
  public ZarrOptions withShardReading(ShardReading reading) {
    return new ZarrOptions(
        codecs,
        maxConcurrency,
        maxInFlightBytes,
        writeEmptyChunks,
        consolidatedMetadata,
        codecScheduler,
        drafts,
        reading);
  }

  /** The codecs. */
  public CodecRegistry codecs() {
    return codecs;
  }

  /** The most chunks of one operation in flight. */
  public int maxConcurrency() {
    return maxConcurrency;
  }

  /** The most bytes of one operation in flight. */
  public long maxInFlightBytes() {
    return maxInFlightBytes;
  }

  /** True where chunks that are all fill value are stored. */
  public boolean writeEmptyChunks() {
    return writeEmptyChunks;
  }

  /** True where consolidated metadata are used. */
  public boolean consolidatedMetadata() {
    return consolidatedMetadata;
  }

  /** The drafts of Zarr v3 whose nodes are read. */
  public Drafts drafts() {
    return drafts;
  }

  /** How inner chunks are read from shards. */
  public ShardReading shardReading() {
    return shardReading;
  }

  Scheduler codecScheduler() {
    return codecScheduler == null ? CodecScheduler.shared() : codecScheduler;
  }

  Limits limits() {
    return new Limits(
        maxConcurrency, maxInFlightBytes, writeEmptyChunks, shardReading, codecScheduler());
  }
}
