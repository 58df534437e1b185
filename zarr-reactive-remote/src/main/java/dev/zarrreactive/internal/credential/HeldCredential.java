package dev.zarrreactive.internal.credential;

import dev.zarrreactive.store.credential.Credential;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What one look-up gave, and what became of it. Compared by identity. Thread-safe. */
public final class HeldCredential {
  private final Credential credential;
  private final @Nullable Instant expiry;
  private final long expiryMillis;
  private final long renewalMillis;
  private volatile boolean isAccepted;
  private volatile boolean isRefused;

  HeldCredential(
      Credential credential, @Nullable Instant expiry, long expiryMillis, long renewalMillis) {
    this.credential = credential;
    this.expiry = expiry;
    this.expiryMillis = expiryMillis;
    this.renewalMillis = renewalMillis;
  }

  /** Returns the credential of a request. */
  public Credential credential() {
    return credential;
  }

  /** Returns the time after which no server accepts it; null where the source does not know. */
  public @Nullable Instant expiry() {
    return expiry;
  }

  /** Is told that a server accepted the credential, so that a later refusal is its end. */
  public void accepted() {
    if (!isAccepted) {
      isAccepted = true;
    }
  }

  /** Returns true after {@link #accepted}. */
  public boolean wasAccepted() {
    return isAccepted;
  }

  void refuse() {
    isRefused = true;
  }

  /** Returns true where no request uses it any more, since a server has refused it. */
  boolean isRefused() {
    return isRefused;
  }

  /** Returns true where requests may still use it. */
  boolean isValid(long now) {
    return !isRefused && now < expiryMillis;
  }

  /** Returns true where it is time to look up the next one. */
  boolean isDue(long now) {
    return now >= renewalMillis;
  }

  /** The kind, without values. */
  @Override
  public String toString() {
    return credential.toString();
  }
}
