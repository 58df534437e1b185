package dev.zarrreactive.testing;

import static dev.zarrreactive.testing.Waiting.PATIENCE;
import static dev.zarrreactive.testing.Waiting.eventually;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.tck.PublisherVerification;
import org.reactivestreams.tck.TestEnvironment;

/** The reactive-streams TCK over a publisher, on a machine that may be busy. */
public abstract class PublisherContract<T> extends PublisherVerification<T> {
  private static final int NO_SIGNAL_MILLIS = 50;

  private final TestEnvironment environment;

  protected PublisherContract() {
    this(new TestEnvironment(PATIENCE.toMillis(), NO_SIGNAL_MILLIS, NO_SIGNAL_MILLIS));
  }

  private PublisherContract(TestEnvironment environment) {
    super(environment);
    this.environment = environment;
  }

  /** A publisher that fails before it is subscribed to does not exist. */
  @Override
  public @Nullable Publisher<T> createFailedPublisher() {
    return null;
  }

  /** Waits for the collector; the TCK gives it a tenth of a second. */
  @Override
  public void
      required_spec313_cancelMustMakeThePublisherEventuallyDropAllReferencesToTheSubscriber()
          throws Throwable {
    activePublisherTest(
        3,
        false,
        publisher -> {
          WeakReference<?> subscriber = cancelled(publisher);
          eventually(
              "the subscriber is dropped",
              () -> {
                System.gc();
                return subscriber.get() == null;
              });
          environment.verifyNoAsyncErrorsNoDelay();
        });
  }

  private WeakReference<?> cancelled(Publisher<T> publisher) throws InterruptedException {
    TestEnvironment.ManualSubscriber<T> subscriber = environment.newManualSubscriber(publisher);
    subscriber.request(1);
    subscriber.nextElement();
    subscriber.cancel();
    return new WeakReference<>(subscriber);
  }
}
