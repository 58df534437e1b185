package dev.zarrreactive;

import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.codec.ShardReading;
import dev.zarrreactive.internal.context.Limits;
import dev.zarrreactive.internal.flow.CodecScheduler;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.metadata.MetadataLimits;
import dev.zarrreactive.observation.ZarrObserver;
import dev.zarrreactive.store.decorator.RequestLimit;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/** Options of operations on nodes. Immutable; each {@code with} method returns a changed copy. */
public final class ZarrOptions {
  private static final long DEFAULT_IN_FLIGHT_BYTES =
      Math.min(256L << 20, Runtime.getRuntime().maxMemory() / 4);

  private static final ZarrOptions DEFAULTS = new ZarrOptions(new Choice());

  private final CodecRegistry codecs;
  private final int maxConcurrency;
  private final long maxInFlightBytes;
  private final boolean independentOperations;
  private final boolean writeEmptyChunks;
  private final boolean consolidatedMetadata;
  private final @Nullable Scheduler codecScheduler;
  private final Drafts drafts;
  private final MetadataLimits metadataLimits;
  private final ShardReading shardReading;
  private final @Nullable RequestLimit requestLimit;
  private final @Nullable ZarrObserver observer;
  private final long decodedChunkBytes;
  private final @Nullable Integer zarrFormat;

  private ZarrOptions(Choice choice) {
    this.codecs = choice.codecs;
    this.maxConcurrency = choice.maxConcurrency;
    this.maxInFlightBytes = choice.maxInFlightBytes;
    this.independentOperations = choice.independentOperations;
    this.writeEmptyChunks = choice.writeEmptyChunks;
    this.consolidatedMetadata = choice.consolidatedMetadata;
    this.codecScheduler = choice.codecScheduler;
    this.drafts = choice.drafts;
    this.metadataLimits = choice.metadataLimits;
    this.shardReading = choice.shardReading;
    this.requestLimit = choice.requestLimit;
    this.observer = choice.observer;
    this.decodedChunkBytes = choice.decodedChunkBytes;
    this.zarrFormat = choice.zarrFormat;
  }

  /** The options under construction, initially the defaults. */
  private static final class Choice {
    private CodecRegistry codecs = CodecRegistry.standard();
    private int maxConcurrency = 64;
    private long maxInFlightBytes = DEFAULT_IN_FLIGHT_BYTES;
    private boolean independentOperations;
    private boolean writeEmptyChunks;
    private boolean consolidatedMetadata = true;
    private @Nullable Scheduler codecScheduler;
    private Drafts drafts = Drafts.none();
    private MetadataLimits metadataLimits = MetadataLimits.defaults();
    private ShardReading shardReading = ShardReading.defaults();
    private @Nullable RequestLimit requestLimit;
    private @Nullable ZarrObserver observer;
    private long decodedChunkBytes;
    private @Nullable Integer zarrFormat;
  }

  private ZarrOptions with(Consumer<Choice> change) {
    Choice choice = new Choice();
    choice.codecs = codecs;
    choice.maxConcurrency = maxConcurrency;
    choice.maxInFlightBytes = maxInFlightBytes;
    choice.independentOperations = independentOperations;
    choice.writeEmptyChunks = writeEmptyChunks;
    choice.consolidatedMetadata = consolidatedMetadata;
    choice.codecScheduler = codecScheduler;
    choice.drafts = drafts;
    choice.metadataLimits = metadataLimits;
    choice.shardReading = shardReading;
    choice.requestLimit = requestLimit;
    choice.observer = observer;
    choice.decodedChunkBytes = decodedChunkBytes;
    choice.zarrFormat = zarrFormat;
    change.accept(choice);
    return new ZarrOptions(choice);
  }

  /**
   * The defaults: the standard codecs, 64 chunks and the smaller of 256 MiB and a quarter of the
   * heap in flight, chunks that hold only the fill value erased instead of written, consolidated
   * metadata used if a group has them.
   */
  public static ZarrOptions defaults() {
    return DEFAULTS;
  }

  /** With these codecs. */
  public ZarrOptions withCodecs(CodecRegistry registry) {
    return with(choice -> choice.codecs = registry);
  }

  /**
   * With at most {@code chunks} chunks of one operation in flight. A stream of chunks also fetches
   * at most this number ahead of the demand. The same number limits the concurrent requests of all
   * operations to one store, unless the store has a limit of its own or {@link #withRequestLimit}
   * sets one.
   */
  public ZarrOptions withMaxConcurrency(int chunks) {
    if (chunks < 1) {
      throw new IllegalArgumentException("maxConcurrency must be at least 1, not " + chunks);
    }
    return with(choice -> choice.maxConcurrency = chunks);
  }

  /**
   * With at most {@code bytes} in flight, encoded and decoded, over all operations on one opened
   * hierarchy. Bytes count from the request until the decoded chunk is delivered. Operations take
   * turns; each of them leaves at least a quarter to the others. A chunk larger than the bound is
   * read alone. The bound applies to writes in the same way.
   *
   * <p>If operations wait for each other for a second, one chunk may exceed the bound, so that they
   * cannot deadlock. All of these chunks exceed it by a quarter at most, or by one larger chunk. An
   * operation beyond that waits. After a minute in which none of the operations has moved, it fails
   * with a {@link dev.zarrreactive.error.MemoryExhaustedException}. A stream waits on while its
   * subscriber has no demand.
   */
  public ZarrOptions withMaxInFlightBytes(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("maxInFlightBytes must be at least 1, not " + bytes);
    }
    return with(choice -> choice.maxInFlightBytes = bytes);
  }

  /**
   * With operations that do not wait for each other ({@code true}), as those for the clients of a
   * service, or that may ({@code false}, the default), as streams that one program combines. Of
   * operations that may wait for each other, one that waits beyond the excess over {@link
   * #withMaxInFlightBytes} fails when nothing has moved for a minute. Independent ones wait until
   * another operation gives bytes back.
   */
  public ZarrOptions withIndependentOperations(boolean independent) {
    return with(choice -> choice.independentOperations = independent);
  }

  /** With chunks that hold only the fill value stored ({@code true}) or erased ({@code false}). */
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
   * With nodes of these drafts of Zarr v3 read too; drafts are refused by default. Nodes of drafts
   * are read-only, and have {@link ZarrNode#warnings() warnings}. Opening any other node costs as
   * much as before. To detect a missing node costs a request for the root (2022) or a listing
   * (2023).
   */
  public ZarrOptions withDrafts(Drafts accepted) {
    return with(choice -> choice.drafts = accepted);
  }

  /**
   * With metadata of at most this size: documents in bytes and values, nodes of consolidated
   * metadata, dimensions of an array. By default {@link MetadataLimits#defaults()}, which real data
   * does not reach. A node that exceeds a limit exists but cannot be opened; a document that would
   * exceed it is not written.
   */
  public ZarrOptions withMetadataLimits(MetadataLimits limits) {
    Objects.requireNonNull(limits);
    return with(choice -> choice.metadataLimits = limits);
  }

  /**
   * With only nodes of this Zarr format opened, 2 or 3. To open a node of Zarr v3 then takes one
   * request instead of three concurrent ones. A node of the other format is not found. Creating
   * nodes is not affected.
   */
  public ZarrOptions withZarrFormat(int format) {
    if (format != 2 && format != 3) {
      throw new IllegalArgumentException("zarrFormat must be 2 or 3, not " + format);
    }
    return with(choice -> choice.zarrFormat = format);
  }

  /** With inner chunks read from shards so. */
  public ZarrOptions withShardReading(ShardReading reading) {
    return with(choice -> choice.shardReading = reading);
  }

  /**
   * With this limit of requests: a fixed number, an adaptive one ({@link RequestLimit#adaptive()}),
   * or one shared with other stores. The limit stands next to the store below all decorators of
   * {@link dev.zarrreactive.store.decorator.Stores}, in addition to a limit of the store. Hits in a
   * cache and back-offs hold no permit.
   */
  public ZarrOptions withRequestLimit(RequestLimit limit) {
    Objects.requireNonNull(limit);
    return with(choice -> choice.requestLimit = limit);
  }

  /**
   * With {@code observer} told of every operation and its requests. By default operations are not
   * observed.
   */
  public ZarrOptions withObserver(ZarrObserver observer) {
    Objects.requireNonNull(observer);
    return with(choice -> choice.observer = observer);
  }

  /**
   * With a cache of at most {@code bytes} of decoded chunks, and of inner chunks of shards, for
   * each opened hierarchy; 0, the default, for no cache. All readers share the cached chunks. A
   * write of this process evicts the chunks that it changes. A write of another program is not
   * noticed. Chunks of elements of variable length are not cached. {@link
   * dev.zarrreactive.store.decorator.Stores#cached} caches stored bytes, and revalidates them.
   */
  public ZarrOptions withDecodedChunkCache(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("not a number of bytes: " + bytes);
    }
    return with(choice -> choice.decodedChunkBytes = bytes);
  }

  /** The codecs. */
  public CodecRegistry codecs() {
    return codecs;
  }

  /** The most chunks of one operation in flight. */
  public int maxConcurrency() {
    return maxConcurrency;
  }

  /** The most bytes in flight of what is read from one hierarchy. */
  public long maxInFlightBytes() {
    return maxInFlightBytes;
  }

  /** True where operations do not wait for each other. */
  public boolean independentOperations() {
    return independentOperations;
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

  /** The sizes that metadata may have. */
  public MetadataLimits metadataLimits() {
    return metadataLimits;
  }

  /** The format of the nodes that are looked for, 2 or 3; null for either. */
  public @Nullable Integer zarrFormat() {
    return zarrFormat;
  }

  /** How inner chunks are read from shards. */
  public ShardReading shardReading() {
    return shardReading;
  }

  /** The limit of requests; null for that of the store, or {@link #maxConcurrency()}. */
  public @Nullable RequestLimit requestLimit() {
    return requestLimit;
  }

  /** The observer of operations; null for none. */
  public @Nullable ZarrObserver observer() {
    return observer;
  }

  /** The most bytes in the cache of decoded chunks. */
  public long decodedChunkBytes() {
    return decodedChunkBytes;
  }

  Scheduler codecScheduler() {
    return codecScheduler == null ? CodecScheduler.shared() : codecScheduler;
  }

  Limits limits() {
    return new Limits(
        maxConcurrency,
        maxInFlightBytes,
        independentOperations,
        writeEmptyChunks,
        shardReading,
        decodedChunkBytes,
        codecScheduler());
  }
}
