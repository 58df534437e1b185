package dev.zarrreactive.s3;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.blobstore.ForwardingBlobStore;
import org.gaul.s3proxy.blobstore.domain.MultipartUpload;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** A server that speaks S3, on this machine, with its objects in memory. Starting it blocks. */
public final class S3ProxyServer implements AutoCloseable {
  /** Who may ask. */
  public static final String ACCESS_KEY = "access-key-of-tests";

  /** What must never be shown. */
  public static final String SECRET_KEY = "s3cret-key-of-tests";

  private static final AtomicInteger BUCKETS = new AtomicInteger();

  private final S3Proxy proxy;
  private final BlobStore objects;

  private S3ProxyServer() {
    objects = new Atomic(BlobStores.create("transient-nio2", new Properties()));
    proxy =
        S3Proxy.builder()
            .blobStore(objects)
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, ACCESS_KEY, SECRET_KEY)
            .ignoreUnknownHeaders(true)
            .build();
  }

  /** A server on a free port. */
  public static S3ProxyServer start() {
    S3ProxyServer server = new S3ProxyServer();
    try {
      server.proxy.start();
    } catch (Exception e) {
      throw new IllegalStateException("S3Proxy does not start", e);
    }
    return server;
  }

  /** The server that the tests of this JVM share; it is never stopped. */
  public static S3ProxyServer shared() {
    return Shared.SERVER;
  }

  /** Where the server is. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + proxy.getPort());
  }

  /** A new bucket, which nobody else uses. */
  public String newBucket() {
    String bucket = "bucket-" + BUCKETS.incrementAndGet();
    objects.createContainer(bucket);
    return bucket;
  }

  /** Settings of a store in a bucket, with credentials. */
  public S3StoreBuilder at(String bucket) {
    return S3Store.at(bucket).endpoint(uri()).credentials(ACCESS_KEY, SECRET_KEY);
  }

  /** Puts an object into a bucket, without a request. */
  public void put(String bucket, String key, byte[] value) {
    objects.putBlob(
        PutObjectRequest.builder()
            .bucket(bucket)
            .key(key)
            .contentLength((long) value.length)
            .build(),
        new ByteArrayInputStream(value));
  }

  /** Begins an upload, as a writer that dies when a part has arrived. */
  public void beginUpload(String bucket, String object, int size) {
    try (S3AsyncClient client =
        S3AsyncClient.builder()
            .endpointOverride(uri())
            .forcePathStyle(true)
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(ACCESS_KEY, SECRET_KEY)))
            .build()) {
      String id =
          client
              .createMultipartUpload(request -> request.bucket(bucket).key(object))
              .join()
              .uploadId();
      client
          .uploadPart(
              request -> request.bucket(bucket).key(object).uploadId(id).partNumber(1),
              AsyncRequestBody.fromBytes(new byte[size]))
          .join();
    }
  }

  /** The objects themselves. */
  public BlobStore objects() {
    return objects;
  }

  @Override
  public void close() {
    try {
      proxy.stop();
    } catch (Exception e) {
      throw new IllegalStateException("S3Proxy does not stop", e);
    }
  }

  private static final class Shared {
    static final S3ProxyServer SERVER = start();
  }

  /** S3Proxy looks at a condition and then writes; S3 does both at once, and so does this. */
  private static final class Atomic extends ForwardingBlobStore {
    private final Object[] locks = new Object[64];

    Atomic(BlobStore objects) {
      super(objects);
      for (int i = 0; i < locks.length; i++) {
        locks[i] = new Object();
      }
    }

    @Override
    public PutObjectResponse putBlob(PutObjectRequest request, InputStream body) {
      if (request.ifMatch() == null && request.ifNoneMatch() == null) {
        return super.putBlob(request, body);
      }
      byte[] value;
      try {
        value = body.readAllBytes(); // or a refusal would close the connection
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      synchronized (lock(request.bucket(), request.key())) {
        check(request);
        return super.putBlob(request, new ByteArrayInputStream(value));
      }
    }

    @Override
    public CompleteMultipartUploadResponse completeMultipartUpload(
        MultipartUpload upload, CompleteMultipartUploadRequest request) {
      synchronized (lock(request.bucket(), request.key())) {
        return super.completeMultipartUpload(upload, request);
      }
    }

    private void check(PutObjectRequest request) {
      HeadObjectResponse now = blobMetadataIfPresent(request.bucket(), request.key());
      String wanted = bare(request.ifMatch());
      boolean holds =
          (wanted == null || (now != null && wanted.equals(bare(now.eTag()))))
              && (request.ifNoneMatch() == null || now == null);
      if (!holds) {
        throw S3Exception.builder()
            .statusCode(412)
            .awsErrorDetails(AwsErrorDetails.builder().errorCode("PreconditionFailed").build())
            .build();
      }
    }

    private static @Nullable String bare(@Nullable String tag) {
      return tag == null ? null : tag.replace("\"", "");
    }

    private Object lock(@Nullable String bucket, @Nullable String key) {
      return locks[Math.floorMod(Objects.hash(bucket, key), locks.length)];
    }
  }
}
