package dev.zarrreactive.internal.transfer;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The settings that the builders of all stores over a network have, with their defaults. */
public final class TransferSettings {
  private static final int CONNECTIONS = 64;
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private @Nullable Integer connections;
  private @Nullable Duration connectTimeout;
  private Duration stallTimeout = Duration.ofSeconds(30);
  private int resumes = 3;
  private boolean forbiddenIsMissing;

  /** The defaults. */
  public TransferSettings() {}

  /** Returns a copy of the settings. */
  public TransferSettings copy() {
    TransferSettings copy = new TransferSettings();
    copy.connections = connections;
    copy.connectTimeout = connectTimeout;
    copy.stallTimeout = stallTimeout;
    copy.resumes = resumes;
    copy.forbiddenIsMissing = forbiddenIsMissing;
    return copy;
  }

  /** Returns {@code timeout}, which must be longer than zero. */
  public static Duration positive(Duration timeout) {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("a timeout is longer than zero, not " + timeout);
    }
    return timeout;
  }

  /** Returns {@code number}, which must be {@code least} or more. */
  public static int atLeast(int least, int number, String what) {
    if (number < least) {
      throw new IllegalArgumentException(what + " must be at least " + least + ", not " + number);
    }
    return number;
  }

  /** Sets the largest number of connections at a time. */
  public void setConnections(int most) {
    this.connections = atLeast(1, most, "connections");
  }

  /** Returns the largest number of connections at a time. */
  public int connections() {
    return connections(CONNECTIONS);
  }

  /** Returns the largest number of connections at a time, or another default. */
  public int connections(int byDefault) {
    return connections == null ? byDefault : connections;
  }

  /** Returns true if the number of connections was set. */
  public boolean hasConnections() {
    return connections != null;
  }

  /** Sets the timeout of a new connection. */
  public void setConnectTimeout(Duration timeout) {
    this.connectTimeout = positive(timeout);
  }

  /** Returns the timeout of a new connection. */
  public Duration connectTimeout() {
    return connectTimeout == null ? CONNECT_TIMEOUT : connectTimeout;
  }

  /** Returns true if the timeout of a new connection was set. */
  public boolean hasConnectTimeout() {
    return connectTimeout != null;
  }

  /** Sets the longest time without a byte. */
  public void setStallTimeout(Duration timeout) {
    this.stallTimeout = positive(timeout);
  }

  /** Returns the longest time without a byte. */
  public Duration stallTimeout() {
    return stallTimeout;
  }

  /** Sets how often a read asks for the rest of a body that was cut. */
  public void setResumes(int resumes) {
    this.resumes = atLeast(0, resumes, "resumes");
  }

  /** Returns how often a read asks for the rest of a body that was cut. */
  public int resumes() {
    return resumes;
  }

  /** Sets whether the answers 401 and 403 mean that a value is missing. */
  public void setForbiddenIsMissing(boolean missing) {
    this.forbiddenIsMissing = missing;
  }

  /** Returns true if the answers 401 and 403 mean that a value is missing. */
  public boolean forbiddenIsMissing() {
    return forbiddenIsMissing;
  }
}
