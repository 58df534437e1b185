package dev.zarrreactive.internal.s3.http;

import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.interceptor.SdkInternalExecutionAttribute;
import software.amazon.awssdk.http.SdkHttpExecutionAttribute;
import software.amazon.awssdk.http.SdkHttpExecutionAttributes;
import software.amazon.awssdk.services.s3.model.S3Request;

/**
 * Decides whether one request may be written to its connection: never after its cancel. The store
 * closes the gate on the thread of the cancel, before the cancel returns. The event loop passes it
 * right before it writes. The request carries its gate through the SDK to the client of HTTP.
 */
public final class RequestGate {
  private static final Attribute ATTRIBUTE = new Attribute();

  private final StallWatch watch;
  private boolean passed;
  private boolean closed;
  private boolean ended;
  private boolean hasRefused;

  /**
   * A gate of one request.
   *
   * @param watch of the same request
   */
  public RequestGate(StallWatch watch) {
    this.watch = watch;
  }

  /** Returns the gate that a request carries; null for a request without one. */
  static @Nullable RequestGate of(@Nullable SdkHttpExecutionAttributes attributes) {
    return attributes == null ? null : attributes.getAttribute(ATTRIBUTE);
  }

  /** Returns {@code request}, which carries this gate. */
  public <R extends S3Request> R on(R request) {
    return carrying(request, ATTRIBUTE, this);
  }

  /** Returns {@code request}, which carries {@code value} through the SDK. */
  @SuppressWarnings("unchecked") // a builder builds the type that it was made from
  static <R extends S3Request, T> R carrying(
      R request, SdkHttpExecutionAttribute<T> attribute, T value) {
    SdkHttpExecutionAttributes attributes =
        SdkHttpExecutionAttributes.builder().put(attribute, value).build();
    AwsRequestOverrideConfiguration.Builder settings =
        request
            .overrideConfiguration()
            .map(AwsRequestOverrideConfiguration::toBuilder)
            .orElseGet(AwsRequestOverrideConfiguration::builder)
            .putExecutionAttribute(
                SdkInternalExecutionAttribute.SDK_HTTP_EXECUTION_ATTRIBUTES, attributes);
    S3Request.Builder copy = request.toBuilder();
    copy.overrideConfiguration(settings.build());
    return (R) copy.build();
  }

  /**
   * Passes the gate. A second pass is always allowed. A cancel waits until {@code behind} returns.
   *
   * @param behind the first step behind the gate, which takes no time
   * @throws CancellationException after a cancel that came first
   */
  synchronized <T> T pass(Supplier<T> behind) {
    if (closed && !passed) {
      hasRefused = true;
      throw new CancellationException("cancelled before the request was sent");
    }
    passed = true;
    return behind.get();
  }

  /**
   * Closes the gate; returns true for a request in flight, which needs a cancel. After the end of
   * the response the connection may be that of another request.
   */
  public synchronized boolean close() {
    closed = true;
    return passed && !ended;
  }

  /** Notes the end of the response. */
  synchronized void responseEnded() {
    ended = true;
  }

  /** Returns true where the request came after a cancel. */
  public synchronized boolean hasRefused() {
    return hasRefused;
  }

  /** Tells the watch that the body begins, or that the connection has taken all of it. */
  void sending(boolean toTheEnd) {
    watch.sending(toTheEnd);
  }

  /** Tells the watch about progress. */
  void progressed() {
    watch.progressed();
  }

  private static final class Attribute extends SdkHttpExecutionAttribute<RequestGate> {
    Attribute() {
      super(RequestGate.class);
    }
  }
}
