package dev.zarrreactive.spark;

import dev.zarrreactive.s3.S3ProxyServer;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A server that speaks S3 with the files of a directory. It is a JVM of its own, because Spark has
 * an older version of its servlets, and ends with the one that started it.
 */
final class FilesInS3 implements AutoCloseable {
  static final String ACCESS_KEY = S3ProxyServer.ACCESS_KEY;
  static final String SECRET_KEY = S3ProxyServer.SECRET_KEY;

  private final Process process;
  private final String location;
  private final String endpoint;

  private FilesInS3(Process process, String location, String endpoint) {
    this.process = process;
    this.location = location;
    this.endpoint = endpoint;
  }

  /** Serves the files, and waits until they are there. */
  static FilesInS3 serve(Path directory) throws IOException {
    List<String> classPath = new ArrayList<>();
    try (Stream<Path> servlets = Files.list(Path.of(System.getProperty("zarr.s3-server")))) {
      servlets.forEach(jar -> classPath.add(jar.toString()));
    }
    Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(path -> !new File(path).getName().startsWith("spark-"))
        .forEach(classPath::add);
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-cp",
                String.join(File.pathSeparator, classPath),
                FilesInS3.class.getName(),
                directory.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
    String line = reader.readLine();
    if (line == null) {
      process.destroyForcibly();
      throw new IOException("the server that speaks S3 has ended");
    }
    String[] parts = line.split(" ");
    return new FilesInS3(process, parts[0], parts[1]);
  }

  /** The place of the directory in S3. */
  String location() {
    return location;
  }

  String endpoint() {
    return endpoint;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /** Serves until the input ends. */
  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    S3ProxyServer server = S3ProxyServer.start();
    String bucket = server.newBucket();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        server.put(
            bucket,
            "data/" + directory.relativize(file).toString().replace(File.separatorChar, '/'),
            Files.readAllBytes(file));
      }
    }
    System.out.println("s3://" + bucket + "/data " + server.uri());
    while (System.in.read() >= 0) {
      // until the end
    }
    Runtime.getRuntime().halt(0);
  }
}
