package dev.zarrreactive.benchmarks.writing;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A server that answers as S3 does and drops what it receives, at the least cost. In a process on a
 * processor of its own, it tells the cost of the client apart.
 *
 * <p>Arguments: port.
 */
public final class DiscardingServer {
  private DiscardingServer() {}

  /** Runs until the process ends. */
  public static void main(String[] arguments) throws IOException {
    try (ServerSocket server =
        new ServerSocket(Integer.parseInt(arguments[0]), 100, InetAddress.getLoopbackAddress())) {
      while (true) {
        Socket connection = server.accept();
        Thread thread = new Thread(() -> serve(connection), "connection");
        thread.setDaemon(true);
        thread.start();
      }
    }
  }

  private static void serve(Socket connection) {
    byte[] buffer = new byte[256 << 10];
    try (connection;
        InputStream in = new BufferedInputStream(connection.getInputStream(), 8 << 10);
        OutputStream out = connection.getOutputStream()) {
      connection.setTcpNoDelay(true);
      for (String request = line(in); !request.isEmpty(); request = line(in)) {
        long left = 0;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
          if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
            left = Long.parseLong(header.substring(header.indexOf(':') + 1).trim());
          }
        }
        while (left > 0) {
          int count = in.read(buffer, 0, (int) Math.min(left, buffer.length));
          if (count < 0) {
            return;
          }
          left -= count;
        }
        out.write(answer(request).getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      System.err.println("a connection ended: " + e);
    }
  }

  private static String answer(String request) {
    if (request.startsWith("GET") || request.startsWith("HEAD")) {
      return answer("404 Not Found", "<Error><Code>NoSuchKey</Code></Error>", request);
    }
    if (request.startsWith("DELETE")) {
      return "HTTP/1.1 204 No Content\r\n\r\n";
    }
    String body =
        !request.startsWith("POST")
            ? ""
            : request.contains("uploadId=")
                ? "<CompleteMultipartUploadResult><ETag>\"1\"</ETag></CompleteMultipartUploadResult>"
                : "<InitiateMultipartUploadResult><UploadId>1</UploadId>"
                    + "</InitiateMultipartUploadResult>";
    return answer("200 OK", body, request);
  }

  private static String answer(String status, String body, String request) {
    String head =
        "HTTP/1.1 "
            + status
            + "\r\nServer: AmazonS3\r\nx-amz-request-id: 1\r\nETag: \"1\"\r\nContent-Type:"
            + " application/xml\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n";
    return request.startsWith("HEAD") ? head : head + body;
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }
}
