package dev.zarrreactive;

import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.codec.ShardReading;
import dev.zarrreactive.internal.pipeline.CodecScheduler;
import dev.zarrreactive.internal.pipeline.Limits;
import dev.zarrreactive.metadata.Drafts;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * What the operations on nodes may use. Immutable; each {@code with} method makes a changed copy.
 */
public final class ZarrOptions {
  private static final long DEFAULT_IN_FLIGHT_BYTES =
      Math.min(256L << 20, Runtime.getRuntime().maxMemory() / 4);

  private static final ZarrOptions DEFAULTS = new ZarrOptions(new Choice());

  private final CodecRegistry codecs;
  private final int maxConcurrency;
  private final long maxInFlightBytes;
  private final boolean writeEmptyChunks;
  private final boolean consolidatedMetadata;
  private final @Nullable Scheduler codecScheduler;
  private final Drafts drafts;
  private final ShardReading shardReading;

  private ZarrOptions(Choice choice) {
    this.codecs = choice.codecs;
    this.maxConcurrency = choice.maxConcurrency;
    this.maxInFlightBytes = choice.maxInFlightBytes;
    this.writeEmptyChunks = choice.writeEmptyChunks;
    this.consolidatedMetadata = choice.consolidatedMetadata;
    this.codecScheduler = choice.codecScheduler;
    this.drafts = choice.drafts;
    this.shardReading = choice.shardReading;
  }

  /** What is chosen while options are being made; at first the defaults. */
  private static final class Choice {
    private CodecRegistry codecs = CodecRegistry.standard();
    private int maxConcurrency = 64;
    private long maxInFlightBytes = DEFAULT_IN_FLIGHT_BYTES;
    private boolean writeEmptyChunks;
    private boolean consolidatedMetadata = true;
    private @Nullable Scheduler codecScheduler;
    private Drafts drafts = Drafts.none();
    private ShardReading shardReading = ShardReading.defaults();
  }

  private ZarrOptions with(Consumer<Choice> change) {
    Choice choice = new Choice();
    choice.codecs = codecs;
    choice.maxConcurrency = maxConcurrency;
    choice.maxInFlightBytes = maxInFlightBytes;
    choice.writeEmptyChunks = writeEmptyChunks;
    choice.consolidatedMetadata = consolidatedMetadata;
    choice.codecScheduler = codecScheduler;
    choice.drafts = drafts;
    choice.shardReading = shardReading;
    change.accept(choice);
    return new ZarrOptions(choice);
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
    return with(choice -> choice.codecs = registry);
  }

  /**
   * With at most so many chunks of one operation in flight. A stream of chunks also fetches at most
   * so many ahead of the demand.
   */
  public ZarrOptions withMaxConcurrency(int chunks) {
    if (chunks < 1) {
      throw new IllegalArgumentException("maxConcurrency must be at least 1, not " + chunks);
    }
    return with(choice -> choice.maxConcurrency = chunks);
  }

  /**
   * With at most so many bytes of one operation, encoded and decoded, in flight; one chunk that is
   * larger goes through alone.
   */
  public ZarrOptions withMaxInFlightBytes(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("maxInFlightBytes must be at least 1, not " + bytes);
    }
    return with(choice -> choice.maxInFlightBytes = bytes);
  }

  /** With chunks that are all fill value stored ({@code true}) or erased ({@code false}). */
  public ZarrOptions withWriteEmptyChunks(boolean write) {
    return with(choice -> choice.writeEmptyChunks = write);
  }

  /**
   * With consolidated metadata used where a group has them ({@code true}), or ignored ({@code
   * false}), for instance since another program may have changed nodes after consolidating them.
   */
  public ZarrOptions withConsolidatedMetadata(boolean use) {
    return with(choice -> choice.consolidatedMetadata = use);
  }

  /**
   * With chunks encoded and decoded on the user's scheduler, which stays the user's to dispose of.
   * Never Reactor's {@code parallel()}: a long decode would delay every timer of the process.
   */
  public ZarrOptions withCodecScheduler(Scheduler scheduler) {
    Objects.requireNonNull(scheduler);
    return with(choice -> choice.codecScheduler = scheduler);
  }

  /**
   * With nodes of these drafts of Zarr v3 read too; by default of none. Such nodes can only be
   * read, and have {@link ZarrNode#warnings() warnings}. Opening any other node costs as much as
   * before; to find that there is none at a path costs a look at the root (2022) or a listing
   * (2023).
   */
  public ZarrOptions withDrafts(Drafts accepted) {
    return with(choice -> choice.drafts = accepted);
  }

  /** With inner chunks read from shards so. */
  public ZarrOptions withShardReading(ShardReading reading) {
    return with(choice -> choice.shardReading = reading);
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
