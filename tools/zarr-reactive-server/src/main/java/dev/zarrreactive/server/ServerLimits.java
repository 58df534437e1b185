package dev.zarrreactive.server;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * The limits of a server. Immutable; each {@code with} method returns a changed copy.
 *
 * @param requests the most requests at a time; a further one is answered with 503 and {@code
 *     Retry-After}
 * @param heldBytes the most bytes of values that responses hold, from the request to the store
 *     until the connection has taken them; responses wait for each other. Where clients that do not
 *     read hold all of it, further responses go on after a second, with a quarter of it at most, or
 *     one larger read; the others wait until {@code stallTimeout} closes a connection
 * @param readBytes the most bytes of one request to the store: a larger value is read in ranges of
 *     this size
 * @param cacheBytes the most bytes of values in the cache below the server
 * @param slices the most slices of arrays at a time; a further one is answered with 503 and {@code
 *     Retry-After}
 * @param sliceBytes the most bytes of a slice, decoded; a larger one is answered with 413
 * @param nodes the most nodes in one document: of a tree, and of synthesized consolidated metadata
 * @param documentBytes the most bytes of synthesized consolidated metadata
 * @param connections the most connections at a time. A further one takes the place of the one that
 *     has waited longest for a request; where all are being answered, it is closed
 * @param headTimeout the time from the first byte of a request to the last one of its head, after
 *     which its connection is closed
 * @param idleTimeout the time after which a connection without a request is closed
 * @param stallTimeout the time after which a connection is closed whose client takes no byte
 * @param leastSpeed the least bytes per second that a client takes, on average over a stall
 *     timeout; the connection of a slower one is closed. 0 for any
 * @param unsentBytes the most bytes of a connection that the operating system takes ahead of the
 *     client, beside those under way; 0 for the system's own choice, up to some MiB
 * @param retryAfter the delay that a client is asked for where the store names none
 */
public record ServerLimits(
    int requests,
    long heldBytes,
    int readBytes,
    long cacheBytes,
    int slices,
    long sliceBytes,
    int nodes,
    int documentBytes,
    int connections,
    Duration headTimeout,
    Duration idleTimeout,
    Duration stallTimeout,
    int leastSpeed,
    int unsentBytes,
    Duration retryAfter) {
  /**
   * Checks that every limit is positive; the cache, the least speed and the unsent bytes may be 0.
   */
  public ServerLimits {
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
            && positive(retryAfter);
    if (!isPositive || !hasTimes) {
      throw new IllegalArgumentException("the limits of a server are positive numbers");
    }
  }

  private static boolean positive(Duration time) {
    return !time.isZero() && !time.isNegative();
  }

  /**
   * The defaults: 512 requests, 16 slices of 256 MiB, ranges of 4 MiB, 10,000 nodes, documents of
   * 16 MiB, 768 connections, 20 seconds for the head of a request, a minute between requests, a
   * minute without a byte, 2,048 bytes per second, 128 KiB unsent, a second before a new attempt.
   * Responses hold the smaller of 512 MiB and a quarter of the heap, the cache the smaller of 64
   * MiB and a sixteenth of it.
   */
  public static ServerLimits defaults() {
    long heap = Runtime.getRuntime().maxMemory();
    return new ServerLimits(
        512,
        Math.min(512L << 20, heap / 4),
        4 << 20,
        Math.min(64L << 20, heap / 16),
        16,
        256L << 20,
        10_000,
        16 << 20,
        768, // a process may often have no more than 1,024 files
        Duration.ofSeconds(20),
        Duration.ofMinutes(1),
        Duration.ofMinutes(1),
        2 << 10,
        128 << 10,
        Duration.ofSeconds(1));
  }

  /** The limits under construction. */
  private static final class Choice {
    private int requests;
    private long heldBytes;
    private int readBytes;
    private long cacheBytes;
    private int slices;
    private long sliceBytes;
    private int nodes;
    private int documentBytes;
    private int connections;
    private Duration headTimeout;
    private Duration idleTimeout;
    private Duration stallTimeout;
    private int leastSpeed;
    private int unsentBytes;
    private Duration retryAfter;

    Choice(ServerLimits limits) {
      requests = limits.requests;
      heldBytes = limits.heldBytes;
      readBytes = limits.readBytes;
      cacheBytes = limits.cacheBytes;
      slices = limits.slices;
      sliceBytes = limits.sliceBytes;
      nodes = limits.nodes;
      documentBytes = limits.documentBytes;
      connections = limits.connections;
      headTimeout = limits.headTimeout;
      idleTimeout = limits.idleTimeout;
      stallTimeout = limits.stallTimeout;
      leastSpeed = limits.leastSpeed;
      unsentBytes = limits.unsentBytes;
      retryAfter = limits.retryAfter;
    }
  }

  private ServerLimits with(Consumer<Choice> change) {
    Choice choice = new Choice(this);
    change.accept(choice);
    return new ServerLimits(
        choice.requests,
        choice.heldBytes,
        choice.readBytes,
        choice.cacheBytes,
        choice.slices,
        choice.sliceBytes,
        choice.nodes,
        choice.documentBytes,
        choice.connections,
        choice.headTimeout,
        choice.idleTimeout,
        choice.stallTimeout,
        choice.leastSpeed,
        choice.unsentBytes,
        choice.retryAfter);
  }

  /** With at most this number of requests at a time. */
  public ServerLimits withRequests(int most) {
    return with(choice -> choice.requests = most);
  }

  /** With at most this number of bytes held by responses. */
  public ServerLimits withHeldBytes(long most) {
    return with(choice -> choice.heldBytes = most);
  }

  /** With at most this number of bytes in a request to the store. */
  public ServerLimits withReadBytes(int most) {
    return with(choice -> choice.readBytes = most);
  }

  /** With a cache of at most this number of bytes; 0 keeps nothing. */
  public ServerLimits withCacheBytes(long most) {
    return with(choice -> choice.cacheBytes = most);
  }

  /** With at most this number of slices at a time, each of at most this number of bytes. */
  public ServerLimits withSlices(int most, long bytes) {
    return with(
        choice -> {
          choice.slices = most;
          choice.sliceBytes = bytes;
        });
  }

  /** With documents of at most this number of nodes and bytes. */
  public ServerLimits withDocuments(int mostNodes, int mostBytes) {
    return with(
        choice -> {
          choice.nodes = mostNodes;
          choice.documentBytes = mostBytes;
        });
  }

  /**
   * With at most this number of connections. A further one takes the place of the one that has
   * waited longest for a request; where all are being answered, it is closed.
   */
  public ServerLimits withConnections(int most) {
    return with(choice -> choice.connections = most);
  }

  /** With a connection closed whose request has begun, and whose head is not whole by this time. */
  public ServerLimits withHeadTimeout(Duration time) {
    return with(choice -> choice.headTimeout = time);
  }

  /** With a connection closed that has had no request for this time. */
  public ServerLimits withIdleTimeout(Duration time) {
    return with(choice -> choice.idleTimeout = time);
  }

  /**
   * With a connection closed whose client takes fewer bytes per second than this, on average over a
   * stall timeout in which bytes wait for it at all times; 0 for any speed.
   */
  public ServerLimits withLeastSpeed(int bytesPerSecond) {
    return with(choice -> choice.leastSpeed = bytesPerSecond);
  }

  /** With a connection closed whose client takes no byte for this time. */
  public ServerLimits withStallTimeout(Duration time) {
    return with(choice -> choice.stallTimeout = time);
  }

  /**
   * With at most this number of unsent bytes of a connection in the operating system, or the
   * system's own choice for 0. It is {@code TCP_NOTSENT_LOWAT} with netty's transport for Linux,
   * and a send buffer of twice the bytes elsewhere.
   */
  public ServerLimits withUnsentBytes(int most) {
    return with(choice -> choice.unsentBytes = most);
  }

  /** With this delay asked of clients that are refused. */
  public ServerLimits withRetryAfter(Duration delay) {
    return with(choice -> choice.retryAfter = delay);
  }
}
