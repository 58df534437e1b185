package dev.zarrreactive.faults.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A server of HTTP/1.1 on this machine that sends exactly the bytes of a {@link Script}, even
 * against the protocol: interim responses, bytes behind a body, bodies without an end. It blocks,
 * and has a thread for each connection.
 */
public final class LyingServer implements AutoCloseable {
  private final ServerSocket port;
  private final Script script;
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private final Queue<ReceivedRequest> requests = new ConcurrentLinkedQueue<>();
  private final AtomicInteger accepted = new AtomicInteger();
  private final AtomicLong numbers = new AtomicLong();

  /** The bytes of the server for one request. */
  @FunctionalInterface
  public interface Script {
    /**
     * Writes the response; an error of the connection ends it.
     *
     * @param asked the request, which has no body
     */
    void answer(ReceivedRequest asked, OutputStream out) throws IOException, InterruptedException;
  }

  private LyingServer(ServerSocket port, Script script) {
    this.port = port;
    this.script = script;
  }

  /** Starts a server with a script. */
  public static LyingServer of(Script script) {
    try {
      LyingServer server =
          new LyingServer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), script);
      thread("zarr-lying-server", server::accept);
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Encodes text; the lines of the head of a response end with {@code \r\n}. */
  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns a complete response with status 200. */
  public static byte[] ok(String body) {
    return bytes("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
  }

  /** Returns the URL of the server, without a trailing slash. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + port.getLocalPort());
  }

  /** Returns the requests so far, in the order of their arrival. */
  public List<ReceivedRequest> requests() {
    return List.copyOf(requests);
  }

  /** Returns the number of connections so far. */
  public int accepted() {
    return accepted.get();
  }

  /** Returns the number of open connections. */
  public int connections() {
    return connections.size();
  }

  @Override
  public void close() {
    try {
      port.close();
      for (Socket connection : connections) {
        connection.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void thread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = port.accept();
        accepted.incrementAndGet();
        connections.add(connection);
        thread("zarr-lying-connection", () -> serve(connection));
      }
    } catch (IOException e) {
      // the server is closed
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      connection.setTcpNoDelay(true);
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(connection.getInputStream(), StandardCharsets.ISO_8859_1));
      OutputStream out = connection.getOutputStream();
      for (ReceivedRequest asked = next(in); asked != null; asked = next(in)) {
        requests.add(asked);
        script.answer(asked, out);
        out.flush();
      }
    } catch (SocketException e) {
      // the client has gone
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      connections.remove(connection);
    }
  }

  private @Nullable ReceivedRequest next(BufferedReader in) throws IOException {
    String line = in.readLine();
    if (line == null) {
      return null;
    }
    String[] parts = line.split(" ", 3);
    Map<String, String> headers = new LinkedHashMap<>();
    for (String each = in.readLine(); each != null && !each.isEmpty(); each = in.readLine()) {
      int colon = each.indexOf(':');
      headers.put(
          each.substring(0, colon).toLowerCase(Locale.ROOT), each.substring(colon + 1).strip());
    }
    int query = parts[1].indexOf('?');
    String path = parts[1].substring(1, query < 0 ? parts[1].length() : query);
    return new ReceivedRequest(
        numbers.getAndIncrement(), parts[0], path, parts[1], Map.copyOf(headers));
  }
}
