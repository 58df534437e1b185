package dev.zarrreactive.benchmarks.compare;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** A MinIO with some of the arrays in a public bucket. Blocking. */
final class ServedBucket implements AutoCloseable {
  static final String BUCKET = "data";

  /** The arrays in the bucket. */
  static final Set<String> ARRAYS = Set.of("raw", "zstd", "sharded64", "sharded16");

  private static final String USER = "comparison";
  private static final String POLICY =
      """
      {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"AWS": ["*"]},
       "Action": ["s3:GetObject", "s3:ListBucket"],
       "Resource": ["arn:aws:s3:::data", "arn:aws:s3:::data/*"]}]}
      """;

  private final Process server;
  private final int port;

  private ServedBucket(Process server, int port) {
    this.server = server;
    this.port = port;
  }

  /**
   * Starts a server and fills the bucket; empty where MinIO is not installed.
   *
   * @param prefixes the directories below {@code data} that the bucket has
   */
  static Optional<ServedBucket> start(Path data, Set<String> prefixes, Path work, File log)
      throws IOException {
    int port;
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = any.getLocalPort();
    }
    ProcessBuilder command =
        new ProcessBuilder(
            System.getProperty("zarr.compare.minio", "minio"),
            "server",
            "--quiet",
            "--address",
            "127.0.0.1:" + port,
            Files.createDirectories(work.resolve("minio")).toString());
    command.environment().put("MINIO_ROOT_USER", USER);
    command.environment().put("MINIO_ROOT_PASSWORD", USER);
    Process process;
    try {
      process =
          command
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
              .start();
    } catch (IOException e) {
      return Optional.empty();
    }
    ServedBucket bucket = new ServedBucket(process, port);
    while (process.isAlive() && !bucket.listens()) {
      Thread.onSpinWait();
    }
    bucket.fill(data, prefixes);
    return Optional.of(bucket);
  }

  private void fill(Path data, Set<String> prefixes) throws IOException {
    try (S3AsyncClient client =
        S3AsyncClient.builder()
            .region(Region.US_EAST_1)
            .forcePathStyle(true)
            .endpointOverride(URI.create("http://127.0.0.1:" + port))
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create(USER, USER)))
            .build()) {
      if (client.listBuckets().join().buckets().isEmpty()) {
        client.createBucket(request -> request.bucket(BUCKET)).join();
      }
      client.putBucketPolicy(request -> request.bucket(BUCKET).policy(POLICY)).join();
      for (String array : prefixes) {
        try (Stream<Path> below = Files.walk(data.resolve(array))) {
          List<Path> files = below.filter(Files::isRegularFile).toList();
          for (Path file : files) {
            String key = data.relativize(file).toString();
            client
                .putObject(
                    request -> request.bucket(BUCKET).key(key), AsyncRequestBody.fromFile(file))
                .join();
          }
        }
      }
    }
  }

  private boolean listens() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  String name() {
    return "S3 (MinIO)";
  }

  int port() {
    return port;
  }

  @Override
  public void close() {
    server.destroy();
  }
}
