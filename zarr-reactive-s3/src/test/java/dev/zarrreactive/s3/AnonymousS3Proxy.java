package dev.zarrreactive.s3;

import java.net.URI;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;

/** A server of the objects of another one, without credentials. Starting it blocks. */
public final class AnonymousS3Proxy implements AutoCloseable {
  private final S3Proxy proxy;

  private AnonymousS3Proxy(S3ProxyServer server) {
    proxy =
        S3Proxy.builder()
            .blobStore(server.objects())
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.NONE, "", "")
            .build();
  }

  /** A server on a free port. */
  public static AnonymousS3Proxy of(S3ProxyServer server) {
    AnonymousS3Proxy anonymous = new AnonymousS3Proxy(server);
    try {
      anonymous.proxy.start();
    } catch (Exception e) {
      throw new IllegalStateException("S3Proxy does not start", e);
    }
    return anonymous;
  }

  /** Where the server is. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + proxy.getPort());
  }

  @Override
  public void close() {
    try {
      proxy.stop();
    } catch (Exception e) {
      throw new IllegalStateException("S3Proxy does not stop", e);
    }
  }
}
