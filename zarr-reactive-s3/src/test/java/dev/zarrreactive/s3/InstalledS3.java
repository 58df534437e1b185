package dev.zarrreactive.s3;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/**
 * A server of S3 that is installed: MinIO or moto, where a command of this name is on the path, or
 * {@code -Dzarr.minio=} and {@code -Dzarr.moto=} name one. Starts and ends a process.
 */
final class InstalledS3 implements AutoCloseable {
  static final String ACCESS_KEY = "keyoftests";
  static final String SECRET_KEY = "secretoftests";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Process process;
  private final URI uri;

  private InstalledS3(Process process, URI uri) {
    this.process = process;
    this.uri = uri;
  }

  /** Starts MinIO in a directory; null where it is not installed. */
  static @Nullable InstalledS3 minio(Path directory) {
    int port = freePort();
    String command = System.getProperty("zarr.minio", "minio");
    return start(
        port, List.of(command, "server", directory.toString(), "--address", "127.0.0.1:" + port));
  }

  /** Starts moto; null where it is not installed. */
  static @Nullable InstalledS3 moto() {
    int port = freePort();
    String command = System.getProperty("zarr.moto", "moto_server");
    return start(port, List.of(command, "-H", "127.0.0.1", "-p", "" + port));
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static @Nullable InstalledS3 start(int port, List<String> command) {
    ProcessBuilder builder =
        new ProcessBuilder(new ArrayList<>(command))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("MINIO_ROOT_USER", ACCESS_KEY);
    builder.environment().put("MINIO_ROOT_PASSWORD", SECRET_KEY);
    try {
      return new InstalledS3(builder.start(), URI.create("http://127.0.0.1:" + port));
    } catch (IOException e) {
      return null; // there is no such command
    }
  }

  URI uri() {
    return uri;
  }

  /** Makes a bucket, once the server is up. */
  String newBucket() {
    String bucket = "zarr-" + Long.toString(System.nanoTime(), 36);
    long end = System.nanoTime() + PATIENCE.toNanos();
    try (S3AsyncClient client =
        S3AsyncClient.builder()
            .endpointOverride(uri)
            .forcePathStyle(true)
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(ACCESS_KEY, SECRET_KEY)))
            .build()) {
      while (true) {
        try {
          client.createBucket(request -> request.bucket(bucket)).join();
          return bucket;
        } catch (CompletionException e) {
          if (System.nanoTime() > end || !(e.getCause() instanceof SdkClientException)) {
            throw e;
          }
        }
      }
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
