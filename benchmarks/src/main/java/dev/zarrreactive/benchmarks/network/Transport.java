package dev.zarrreactive.benchmarks.network;

import dev.zarrreactive.http.HttpStore;
import dev.zarrreactive.s3.S3Store;
import dev.zarrreactive.store.Store;
import java.net.URI;
import java.time.Duration;

/**
 * A way to read what lies below {@link #ROOM} of a server.
 *
 * @param name for people
 * @param connections how many are used where the floor is looked for
 * @param opening opens a store
 */
public record Transport(String name, int connections, Opening opening) {
  /** Opens the store of a server. */
  interface Opening {
    /** Opens the store at a URL, with a stall timeout and a number of connections. */
    Store open(URI server, Duration stallTimeout, int connections);
  }

  /** The first segment of all paths; where there are buckets, the bucket. */
  static final String ROOM = "data";

  /** As many as a store has by default. */
  static final int CONNECTIONS = 64;

  /** HTTP, version 1.1 or 2. */
  public static Transport http(boolean http2) {
    return new Transport(
        http2 ? "HTTP/2" : "HTTP/1.1",
        CONNECTIONS,
        (server, stall, connections) ->
            HttpStore.at(server.resolve("/" + ROOM))
                .http2(http2)
                .stallTimeout(stall)
                .connections(connections)
                .open());
  }

  /** S3, of which the server only has to know GET, with the bucket in the path. */
  public static Transport s3() {
    return new Transport(
        "S3",
        CONNECTIONS / 2,
        (server, stall, connections) ->
            S3Store.at(ROOM)
                .endpoint(server)
                .anonymous()
                .stallTimeout(stall)
                .connections(connections)
                .open());
  }
}
