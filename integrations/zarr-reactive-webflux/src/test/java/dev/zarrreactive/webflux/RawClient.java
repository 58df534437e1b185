package dev.zarrreactive.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32;

/** A client of HTTP/1.1 that reads as much of a response as a test tells it to. */
final class RawClient implements Closeable {
  private static final int PATIENCE_MILLIS = 60_000;
  private static final String LENGTH = "content-length: ";

  private final Socket socket = new Socket();
  private final InputStream input;
  private final boolean chunked;
  private final byte[] buffer = new byte[16 << 10];
  private final CRC32 checksum = new CRC32();
  private final StringBuilder text = new StringBuilder();
  private final List<String> headers = new ArrayList<>();

  /** What is left of the body, or of the piece of it that is announced. */
  private long rest;

  private long received;
  private boolean ended;

  RawClient(int port, String path) throws IOException {
    this(port, path, "*/*");
  }

  RawClient(int port, String path, String accept) throws IOException {
    socket.setReceiveBufferSize(64 << 10);
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
    String request =
        "GET %s HTTP/1.1\r\nHost: localhost\r\nAccept: %s\r\nConnection: close\r\n\r\n"
            .formatted(path, accept);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    input = new BufferedInputStream(socket.getInputStream(), 8 << 10);
    assertThat(line()).isEqualTo("HTTP/1.1 200 OK");
    boolean pieces = false;
    for (String header = header(); !header.isEmpty(); header = header()) {
      headers.add(header);
      pieces |= header.equals("transfer-encoding: chunked");
      if (header.startsWith(LENGTH)) {
        rest = Long.parseLong(header.substring(LENGTH.length()));
      }
    }
    chunked = pieces;
    if (chunked) {
      rest = Long.parseLong(line(), 16);
    }
    ended = rest == 0;
  }

  /** The value of a header of the response. */
  String header(String name) {
    return headers.stream()
        .filter(header -> header.startsWith(name + ": "))
        .map(header -> header.substring(name.length() + 2))
        .findFirst()
        .orElse("");
  }

  private String header() throws IOException {
    return line().toLowerCase(Locale.ROOT);
  }

  /** Reads at least this number of bytes more, or to the end. */
  RawClient read(long bytes) throws IOException {
    long until = received > Long.MAX_VALUE - bytes ? Long.MAX_VALUE : received + bytes;
    while (!ended && received < until) {
      int read = input.read(buffer, 0, (int) Math.min(buffer.length, rest));
      if (read < 0) {
        throw new EOFException("the body was cut after " + received + " bytes");
      }
      checksum.update(buffer, 0, read);
      if (text.length() < 100) {
        text.append(new String(buffer, 0, Math.min(read, 100), StandardCharsets.ISO_8859_1));
      }
      received += read;
      rest -= read;
      if (rest == 0) {
        ended = !nextPiece();
      }
    }
    return this;
  }

  private boolean nextPiece() throws IOException {
    if (chunked) {
      assertThat(line()).isEmpty();
      rest = Long.parseLong(line(), 16);
    }
    return rest > 0;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = input.read(); c != '\n'; c = input.read()) {
      if (c < 0) {
        throw new EOFException("the connection was closed within a line: " + line);
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  long received() {
    return received;
  }

  long checksum() {
    return checksum.getValue();
  }

  /** A short body. */
  String text() {
    return text.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
