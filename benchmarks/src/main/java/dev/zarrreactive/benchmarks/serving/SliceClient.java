package dev.zarrreactive.benchmarks.serving;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A client that reads rows of the array at some speed until it is told to leave. */
final class SliceClient implements Runnable {
  private static final int PIECE = 16 << 10;

  private final int port;
  private final int firstRow;
  private final long bytesPerSecond;
  private final AtomicLong taken;
  private final AtomicInteger errors;
  private volatile boolean leaves;

  /**
   * Creates a client.
   *
   * @param bytesPerSecond 0 for as fast as it can
   * @param taken counts the bytes that were right
   * @param errors counts wrong bytes, other statuses and cut connections
   */
  SliceClient(int port, int firstRow, long bytesPerSecond, AtomicLong taken, AtomicInteger errors) {
    this.port = port;
    this.firstRow = firstRow;
    this.bytesPerSecond = bytesPerSecond;
    this.taken = taken;
    this.errors = errors;
  }

  void leave() {
    leaves = true;
  }

  @Override
  public void run() {
    try (Socket socket = new Socket()) {
      socket.setReceiveBufferSize(64 << 10);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      String request =
          "GET /api/a/slice?format=raw&select="
              + firstRow
              + ": HTTP/1.1\r\nHost: localhost\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      InputStream input = socket.getInputStream();
      if (!head(input).startsWith("HTTP/1.1 200 ")) {
        throw new IOException("another status");
      }
      read(input);
    } catch (IOException | InterruptedException e) {
      errors.incrementAndGet();
    }
  }

  private static String head(InputStream input) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int c = input.read();
      if (c < 0) {
        throw new IOException("the connection was closed");
      }
      head.append((char) c);
    }
    return head.toString();
  }

  private void read(InputStream input) throws IOException, InterruptedException {
    byte[] buffer = new byte[PIECE];
    long begun = System.nanoTime();
    long total = (long) (PatternStore.ROWS - firstRow) * PatternStore.ROW_BYTES;
    for (long at = 0; at < total && !leaves; ) {
      int read = input.read(buffer);
      if (read < 0) {
        throw new IOException("the body was cut");
      }
      for (int i = 0; i < read; i++, at++) {
        int row = firstRow + (int) (at / PatternStore.ROW_BYTES);
        if (buffer[i] != PatternStore.element(row, (int) (at % PatternStore.ROW_BYTES))) {
          throw new IOException("a wrong byte at " + at);
        }
      }
      taken.addAndGet(read);
      if (bytesPerSecond > 0) {
        long due = begun + at * 1_000_000_000L / bytesPerSecond;
        Thread.sleep(Math.max(0, (due - System.nanoTime()) / 1_000_000));
      }
    }
  }
}
