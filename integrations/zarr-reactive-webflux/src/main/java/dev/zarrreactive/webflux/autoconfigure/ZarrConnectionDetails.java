package dev.zarrreactive.webflux.autoconfigure;

import dev.zarrreactive.store.credential.CredentialSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * Where a hierarchy is, and who reads it, in place of {@code zarr.location}: for example a
 * container that a test has started. A bean of this type replaces the properties of the connection;
 * other options {@code zarr.store.*}, such as timeouts, stay.
 */
public interface ZarrConnectionDetails extends ConnectionDetails {
  /** The place of the hierarchy: a path, or a URL such as {@code s3://bucket/path}. */
  String location();

  /**
   * The options of the store by name, such as {@code endpoint}, each in place of the property of
   * its name.
   */
  default Map<String, String> options() {
    return Map.of();
  }

  /** The credentials; null for those of the properties. */
  default @Nullable CredentialSource credentials() {
    return null;
  }

  /** The certificates; null for those of the properties. */
  default @Nullable SslBundle sslBundle() {
    return null;
  }

  /** The name below {@code zarr.stores} that it is for; empty for {@code zarr.location}. */
  default String store() {
    return "";
  }
}
