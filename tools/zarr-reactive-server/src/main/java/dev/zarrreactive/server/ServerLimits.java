package dev.zarrreactive.server;

import java.time.Duration;
import java.util.function.Consumer;

/** The limits of a server. Immutable; each {@code with} method returns a changed copy. */
public final class ServerLimits {
  private final Values values;

  private ServerLimits(Values values) {
    this.values = values;
  }

  /** The limits' values, initially the defaults; never changed once they are published. */
  private static final class Values implements Cloneable {
    private int requests = 512;
    private long heldBytes = Math.min(512L << 20, Runtime.getRuntime().maxMemory() / 4);
    private int readBytes = 4 << 20;
    private long cacheBytes = Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 16);
    private int slices = slicesOf(Runtime.getRuntime().maxMemory() / 4);
    private long sliceBytes = 256L << 20;
    private int nodes = 10_000;
    private int documentBytes = 16 << 20;
    private int connections = 768; // a process may often have no more than 1,024 files
    private Duration headTimeout = Duration.ofSeconds(20);
    private Duration idleTimeout = Duration.ofMinutes(1);
    private Duration stallTimeout = Duration.ofMinutes(1);
    private int leastSpeed = 2 << 10;
    private int unsentBytes = 128 << 10;
    private Duration maxWait = Duration.ofSeconds(10);
    private Duration retryAfter = Duration.ofSeconds(1);

    /** One slice for each MiB that is in flight by default: what a slow client of one holds. */
    private static int slicesOf(long bytes) {
      return (int) Math.min(256, Math.max(16, bytes >> 20));
    }

    Values copy() {
      try {
        return (Values) clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }

    /** Every limit is positive; the cache, the least speed and the unsent bytes may be 0. */
    void check() {
      boolean isPositive =
          requests > 0
              && heldBytes > 0
              && readBytes > 0
              && cacheBytes >= 0
              && slices > 0
              && sliceBytes > 0
              && nodes > 0
              && documentBytes > 0
              && connections > 0
              && leastSpeed >= 0
              && unsentBytes >= 0;
      boolean hasTimes =
          positive(headTimeout)
              && positive(idleTimeout)
              && positive(stallTimeout)
              && positive(maxWait)
              && positive(retryAfter);
      if (!isPositive || !hasTimes) {
        throw new IllegalArgumentException("the limits of a server are positive numbers");
      }
    }

    private static boolean positive(Duration time) {
      return !time.isZero() && !time.isNegative();
    }
  }

  private ServerLimits with(Consumer<Values> change) {
    Values changed = values.copy();
    change.accept(changed);
    changed.check();
    return new ServerLimits(changed);
  }

  /**
   * The defaults: 512 requests, slices of 256 MiB, one for each MiB of a quarter of the heap (16 to
   * 256), ranges of 4 MiB, 10,000 nodes, documents of 16 MiB, 768 connections, 20 seconds for the
   * head of a request, a minute between requests, a minute without a byte, 2,048 bytes per second,
   * 128 KiB unsent, 10 seconds of waiting for memory, a second before a new attempt. Responses hold
   * the smaller of 512 MiB and a quarter of the heap, the cache the smaller of 64 MiB and a
   * sixteenth of it.
   */
  public static ServerLimits defaults() {
    return new ServerLimits(new Values());
  }

  /** With at most this number of requests at a time. */
  public ServerLimits withRequests(int most) {
    return with(values -> values.requests = most);
  }

  /** With at most this number of bytes held by responses. */
  public ServerLimits withHeldBytes(long most) {
    return with(values -> values.heldBytes = most);
  }

  /** With at most this number of bytes in a request to the store. */
  public ServerLimits withReadBytes(int most) {
    return with(values -> values.readBytes = most);
  }

  /** With a cache of at most this number of bytes; 0 keeps nothing. */
  public ServerLimits withCacheBytes(long most) {
    return with(values -> values.cacheBytes = most);
  }

  /**
   * With at most this number of slices at a time, each of at most this number of bytes, and as many
   * beside them that have at most 256 KiB.
   */
  public ServerLimits withSlices(int most, long bytes) {
    return with(
        values -> {
          values.slices = most;
          values.sliceBytes = bytes;
        });
  }

  /** With documents of at most this number of nodes and bytes. */
  public ServerLimits withDocuments(int mostNodes, int mostBytes) {
    return with(
        values -> {
          values.nodes = mostNodes;
          values.documentBytes = mostBytes;
        });
  }

  /**
   * With at most this number of connections. A further one takes the place of the one that has
   * waited longest for a request; where all are being answered, it is closed.
   */
  public ServerLimits withConnections(int most) {
    return with(values -> values.connections = most);
  }

  /** With a connection closed whose request has begun, and whose head is not whole by this time. */
  public ServerLimits withHeadTimeout(Duration time) {
    return with(values -> values.headTimeout = time);
  }

  /** With a connection closed that has had no request for this time. */
  public ServerLimits withIdleTimeout(Duration time) {
    return with(values -> values.idleTimeout = time);
  }

  /**
   * With a connection closed whose client takes fewer bytes per second than this, on average over a
   * stall timeout in which bytes wait for it at all times; 0 for any speed.
   */
  public ServerLimits withLeastSpeed(int bytesPerSecond) {
    return with(values -> values.leastSpeed = bytesPerSecond);
  }

  /** With a connection closed whose client takes no byte for this time. */
  public ServerLimits withStallTimeout(Duration time) {
    return with(values -> values.stallTimeout = time);
  }

  /**
   * With at most this number of unsent bytes of a connection in the operating system, or the
   * system's own choice for 0. It is {@code TCP_NOTSENT_LOWAT} with netty's transport for Linux,
   * and a send buffer of twice the bytes elsewhere.
   */
  public ServerLimits withUnsentBytes(int most) {
    return with(values -> values.unsentBytes = most);
  }

  /**
   * With a response refused that has had no memory for this time, since other responses hold it.
   */
  public ServerLimits withMaxWait(Duration time) {
    return with(values -> values.maxWait = time);
  }

  /** With this delay asked of clients that are refused. */
  public ServerLimits withRetryAfter(Duration delay) {
    return with(values -> values.retryAfter = delay);
  }

  /** The most requests at a time; a further one is answered with 503 and {@code Retry-After}. */
  public int requests() {
    return values.requests;
  }

  /**
   * The most bytes of values that responses hold, from the request to the store until the
   * connection has taken them; responses wait for each other. Where clients that do not read hold
   * all of it, further responses go on after a second, with a quarter of it at most, or one larger
   * read; the others wait, for {@link #maxWait} at most. A quarter of it is a reserve for values
   * and slices of at most 256 KiB, so that slow clients of large ones do not hold them up.
   */
  public long heldBytes() {
    return values.heldBytes;
  }

  /** The most bytes of one request to the store: a larger value is read in ranges of this size. */
  public int readBytes() {
    return values.readBytes;
  }

  /** The most bytes of values in the cache below the server. */
  public long cacheBytes() {
    return values.cacheBytes;
  }

  /**
   * The most slices of arrays at a time; a further one is answered with 503 and {@code Retry-
   * After}. Slices of at most 256 KiB are counted beside the others, with the same bound.
   */
  public int slices() {
    return values.slices;
  }

  /** The most bytes of a slice, decoded; a larger one is answered with 413. */
  public long sliceBytes() {
    return values.sliceBytes;
  }

  /** The most nodes in one document: of a tree, and of synthesized consolidated metadata. */
  public int nodes() {
    return values.nodes;
  }

  /** The most bytes of synthesized consolidated metadata. */
  public int documentBytes() {
    return values.documentBytes;
  }

  /** The most connections at a time. */
  public int connections() {
    return values.connections;
  }

  /**
   * The time from the first byte of a request to the last one of its head, after which its
   * connection is closed.
   */
  public Duration headTimeout() {
    return values.headTimeout;
  }

  /** The time after which a connection without a request is closed. */
  public Duration idleTimeout() {
    return values.idleTimeout;
  }

  /** The time after which a connection is closed whose client takes no byte. */
  public Duration stallTimeout() {
    return values.stallTimeout;
  }

  /**
   * The least bytes per second that a client takes, on average over a stall timeout; the connection
   * of a slower one is closed. 0 for any.
   */
  public int leastSpeed() {
    return values.leastSpeed;
  }

  /**
   * The most bytes of a connection that the operating system takes ahead of the client, beside
   * those under way; 0 for the system's own choice, up to some MiB.
   */
  public int unsentBytes() {
    return values.unsentBytes;
  }

  /**
   * The longest wait of a response for its first bytes of memory, after which it is answered with
   * 503 and {@code Retry-After}. One that has begun waits as long as it takes.
   */
  public Duration maxWait() {
    return values.maxWait;
  }

  /** The delay that a client is asked for where the store names none. */
  public Duration retryAfter() {
    return values.retryAfter;
  }
}
