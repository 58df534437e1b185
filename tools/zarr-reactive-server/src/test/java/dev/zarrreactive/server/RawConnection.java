package dev.zarrreactive.server;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.CRC32;

/** A client that sends any text as a request, and reads as much as a test tells it to. */
final class RawConnection implements Closeable {
  private static final int PATIENCE_MILLIS = 60_000;

  private final Socket socket = new Socket();
  private final InputStream input;
  private final CRC32 checksum = new CRC32();
  private final StringBuilder text = new StringBuilder();
  private long length = -1;
  private long received;

  RawConnection(int port) throws IOException {
    socket.setReceiveBufferSize(16 << 10);
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
    input = new BufferedInputStream(socket.getInputStream(), 8 << 10);
  }

  /** Sends a request, and returns the line of the status. */
  String get(String path, String... headers) throws IOException {
    ask(path, headers);
    String status = line();
    for (String header = line(); !header.isEmpty(); header = line()) {
      if (header.toLowerCase(Locale.ROOT).startsWith("content-length: ")) {
        length = Long.parseLong(header.substring("content-length: ".length()));
      }
    }
    return status;
  }

  /** Sends a request, and reads nothing. */
  void ask(String path, String... headers) throws IOException {
    StringBuilder request = new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n");
    for (int i = 0; i < headers.length; i += 2) {
      request.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
    }
    socket
        .getOutputStream()
        .write(request.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Sends any bytes. */
  RawConnection send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    return this;
  }

  /** Reads the rest, until the server closes the connection. */
  byte[] toEnd() throws IOException {
    try {
      return input.readAllBytes();
    } catch (SocketException e) { // it was closed with bytes of the client unread
      return new byte[0];
    }
  }

  /** Reads this number of bytes, whatever they are. */
  byte[] take(int bytes) throws IOException {
    return input.readNBytes(bytes);
  }

  /** Reads at least this number of bytes of the body, or to the end of the connection. */
  RawConnection read(long bytes) throws IOException {
    byte[] buffer = new byte[8 << 10];
    long end = length < 0 ? Long.MAX_VALUE : length;
    long until = bytes > end - received ? end : received + bytes;
    while (received < until) {
      int read = input.read(buffer, 0, (int) Math.min(buffer.length, until - received));
      if (read < 0) {
        break;
      }
      checksum.update(buffer, 0, read);
      text.append(new String(buffer, 0, read, StandardCharsets.ISO_8859_1));
      received += read;
    }
    return this;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = input.read(); c != '\n' && c >= 0; c = input.read()) {
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  /** Returns true when the server has closed the connection. */
  boolean isAtEnd() throws IOException {
    return input.read() < 0;
  }

  long length() {
    return length;
  }

  long received() {
    return received;
  }

  long checksum() {
    return checksum.getValue();
  }

  String text() {
    return text.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
