package dev.zarrreactive.store.credential;

import dev.zarrreactive.spi.Spi;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A credential and the time until which a server accepts it.
 *
 * @param credential which {@code toString} does not show
 * @param expiry after which it is not used; null where the source does not know
 * @param renewal after which a request looks it up again at the latest, while it is still valid;
 *     null for shortly before {@code expiry}
 */
@Spi
public record ExpiringCredential(
    Credential credential, @Nullable Instant expiry, @Nullable Instant renewal) {
  /** A credential that is renewed shortly before its expiry. */
  public static ExpiringCredential until(Instant expiry, Credential credential) {
    return new ExpiringCredential(credential, expiry, null);
  }

  /** A credential that is renewed after a server has refused it, and never before. */
  public static ExpiringCredential lasting(Credential credential) {
    return new ExpiringCredential(credential, null, null);
  }

  /** This credential, which a request looks up again after {@code time}: its source may change. */
  public ExpiringCredential renewedAfter(Instant time) {
    return new ExpiringCredential(credential, expiry, time);
  }
}
