package dev.zarrreactive;

import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.internal.context.HierarchyContext.Limits;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.metadata.MetadataLimits;
import dev.zarrreactive.observation.ZarrObserver;
import dev.zarrreactive.store.decorator.RequestLimit;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/** Options of operations on nodes. Immutable; each {@code with} method returns a changed copy. */
public final class ZarrOptions {
  private static final long DEFAULT_IN_FLIGHT_BYTES =
      Math.min(256L << 20, Runtime.getRuntime().maxMemory() / 4);

  private static final ZarrOptions DEFAULTS = new ZarrOptions(new Values());

  private final Values values;

  private ZarrOptions(Values values) {
    this.values = values;
  }

  /** The options' values, initially the defaults; never changed once they are published. */
  private static final class Values implements Cloneable {
    private CodecRegistry codecs = CodecRegistry.standard();
    private int maxConcurrency = 64;
    private long maxInFlightBytes = DEFAULT_IN_FLIGHT_BYTES;
    private boolean independentOperations;
    private @Nullable Duration maxWait;
    private boolean writeEmptyChunks;
    private boolean consolidatedMetadata = true;
    private @Nullable Scheduler codecScheduler;
    private Drafts drafts = Drafts.none();
    private boolean leniencies = true;
    private MetadataLimits metadataLimits = MetadataLimits.defaults();
    private ShardReading shardReading = ShardReading.defaults();
    private @Nullable RequestLimit requestLimit;
    private @Nullable ZarrObserver observer;
    private long decodedChunkCache;
    private @Nullable Integer zarrFormat;

    Values copy() {
      try {
        return (Values) clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private ZarrOptions with(Consumer<Values> change) {
    Values changed = values.copy();
    change.accept(changed);
    return new ZarrOptions(changed);
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
    return with(changed -> changed.codecs = registry);
  }

  /**
   * With at most {@code requests} requests to one store in flight, over all operations. A chunk is
   * in flight from its request until it is delivered, so that an operation has as many chunks in
   * flight at most, and a stream of chunks fetches as many ahead of the demand.
   *
   * <p>A store with a limit of its own, as one that is opened by a URL, and {@link
   * #withRequestLimit} replace this bound for requests. It holds for the chunks of an operation all
   * the same.
   */
  public ZarrOptions withMaxConcurrency(int requests) {
    if (requests < 1) {
      throw new IllegalArgumentException("maxConcurrency must be at least 1, not " + requests);
    }
    return with(changed -> changed.maxConcurrency = requests);
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
    return with(changed -> changed.maxInFlightBytes = bytes);
  }

  /**
   * With operations whose subscribers do not wait for one another ({@code true}), such as the
   * requests of a service's clients, or whose subscribers may ({@code false}, the default), such as
   * streams that one program zips.
   *
   * <p>It decides what becomes of an operation that waits for bytes in flight while all others hold
   * theirs. If one may wait for another, all of them could wait for ever: it fails after a minute
   * in which none has moved, as {@link #withMaxInFlightBytes} says. An independent one waits until
   * another operation gives bytes back, for instance when its client goes on or leaves, or as long
   * as {@link #withMaxWait} says. A quarter of the bytes is a reserve for reads whose results have
   * at most 256 KiB, so that slow clients of large results do not hold them up.
   */
  public ZarrOptions withIndependentOperations(boolean independent) {
    return with(changed -> changed.independentOperations = independent);
  }

  /**
   * With at most this wait of an {@linkplain #withIndependentOperations independent operation} for
   * its first bytes in flight, for instance beside slow clients of others. Then it fails with a
   * {@link dev.zarrreactive.error.MemoryExhaustedException}, which a service answers with 503. An
   * operation that has had bytes waits for others as long as it takes. By default there is no such
   * bound.
   *
   * @throws IllegalArgumentException if {@code longest} is not positive
   */
  public ZarrOptions withMaxWait(Duration longest) {
    if (longest.isNegative() || longest.isZero()) {
      throw new IllegalArgumentException("maxWait must be positive, not " + longest);
    }
    return with(changed -> changed.maxWait = longest);
  }

  /** With chunks that hold only the fill value stored ({@code true}) or erased ({@code false}). */
  public ZarrOptions withWriteEmptyChunks(boolean write) {
    return with(changed -> changed.writeEmptyChunks = write);
  }

  /**
   * With consolidated metadata used where a group has them ({@code true}), or ignored ({@code
   * false}), for instance since another program may have changed nodes after consolidating them.
   */
  public ZarrOptions withConsolidatedMetadata(boolean use) {
    return with(changed -> changed.consolidatedMetadata = use);
  }

  /**
   * With chunks encoded and decoded on the user's scheduler, which stays the user's to dispose of.
   * Never Reactor's {@code parallel()}: a long decode would delay every timer of the process.
   */
  public ZarrOptions withCodecScheduler(Scheduler scheduler) {
    Objects.requireNonNull(scheduler);
    return with(changed -> changed.codecScheduler = scheduler);
  }

  /**
   * With nodes of these drafts of Zarr v3 read too; drafts are refused by default. Nodes of drafts
   * are read-only, and have {@link ZarrNode#warnings() warnings}. Opening any other node costs as
   * much as before. To detect a missing node costs a request for the root (2022) or a listing
   * (2023).
   */
  public ZarrOptions withDrafts(Drafts accepted) {
    return with(changed -> changed.drafts = accepted);
  }

  /**
   * With nodes refused whose metadata need a {@linkplain dev.zarrreactive.error.Leniency leniency}
   * ({@code false}), also one of {@link #withDrafts}; by default they are read, with {@link
   * ZarrNode#warnings() warnings}. A refused node exists and cannot be opened; its error names the
   * leniency.
   */
  public ZarrOptions withLeniencies(boolean accepted) {
    return with(changed -> changed.leniencies = accepted);
  }

  /**
   * With metadata of at most this size: documents in bytes and values, nodes of consolidated
   * metadata, dimensions of an array. By default {@link MetadataLimits#defaults()}, which real data
   * does not reach. A node that exceeds a limit exists but cannot be opened; a document that would
   * exceed it is not written.
   */
  public ZarrOptions withMetadataLimits(MetadataLimits limits) {
    Objects.requireNonNull(limits);
    return with(changed -> changed.metadataLimits = limits);
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
    return with(changed -> changed.zarrFormat = format);
  }

  /** With this way of reading inner chunks: how their requests are merged and indexes are kept. */
  public ZarrOptions withShardReading(ShardReading reading) {
    return with(changed -> changed.shardReading = reading);
  }

  /**
   * With this limit of requests: a fixed number, an adaptive one ({@link RequestLimit#adaptive()}),
   * or one shared with other stores. The limit stands next to the store below all decorators of
   * {@link dev.zarrreactive.store.decorator.Stores}, in addition to a limit of the store. Hits in a
   * cache and back-offs hold no permit.
   */
  public ZarrOptions withRequestLimit(RequestLimit limit) {
    Objects.requireNonNull(limit);
    return with(changed -> changed.requestLimit = limit);
  }

  /**
   * With {@code observer} told of every operation and its requests. By default operations are not
   * observed.
   */
  public ZarrOptions withObserver(ZarrObserver observer) {
    Objects.requireNonNull(observer);
    return with(changed -> changed.observer = observer);
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
    return with(changed -> changed.decodedChunkCache = bytes);
  }

  /** The codecs. */
  public CodecRegistry codecs() {
    return values.codecs;
  }

  /** The most requests to one store in flight, and so the most chunks of one operation. */
  public int maxConcurrency() {
    return values.maxConcurrency;
  }

  /** The most bytes in flight of what is read from one hierarchy. */
  public long maxInFlightBytes() {
    return values.maxInFlightBytes;
  }

  /** True where no subscriber of an operation waits for another operation. */
  public boolean independentOperations() {
    return values.independentOperations;
  }

  /** The longest wait of an independent operation for its first bytes; null for any. */
  public @Nullable Duration maxWait() {
    return values.maxWait;
  }

  /** True where chunks that are all fill value are stored. */
  public boolean writeEmptyChunks() {
    return values.writeEmptyChunks;
  }

  /** True where consolidated metadata are used. */
  public boolean consolidatedMetadata() {
    return values.consolidatedMetadata;
  }

  /** Whether nodes are read that need a leniency. */
  public boolean leniencies() {
    return values.leniencies;
  }

  /** The drafts of Zarr v3 whose nodes are read. */
  public Drafts drafts() {
    return values.drafts;
  }

  /** The sizes that metadata may have. */
  public MetadataLimits metadataLimits() {
    return values.metadataLimits;
  }

  /** The format of the nodes that are looked for, 2 or 3; null for either. */
  public @Nullable Integer zarrFormat() {
    return values.zarrFormat;
  }

  /** How inner chunks are read from shards. */
  public ShardReading shardReading() {
    return values.shardReading;
  }

  /** The limit of requests; null for that of the store, or {@link #maxConcurrency()}. */
  public @Nullable RequestLimit requestLimit() {
    return values.requestLimit;
  }

  /** The observer of operations; null for none. */
  public @Nullable ZarrObserver observer() {
    return values.observer;
  }

  /** The most bytes in the cache of decoded chunks; 0 for no cache. */
  public long decodedChunkCache() {
    return values.decodedChunkCache;
  }

  /** The threads that decode and encode. */
  public Scheduler codecScheduler() {
    return values.codecScheduler == null
        ? Environment.current().codecScheduler()
        : values.codecScheduler;
  }

  Limits limits() {
    return new Limits(
        values.maxConcurrency,
        values.maxInFlightBytes,
        values.independentOperations,
        values.maxWait,
        values.writeEmptyChunks,
        values.shardReading.coalescing(),
        values.shardReading.indexCacheBytes(),
        values.shardReading.speculativeTail(),
        values.decodedChunkCache,
        codecScheduler());
  }
}
