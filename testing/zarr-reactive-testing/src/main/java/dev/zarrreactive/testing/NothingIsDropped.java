package dev.zarrreactive.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import reactor.core.publisher.Hooks;

/** Fails a test in which an error went nowhere but into Reactor's log. */
public final class NothingIsDropped implements BeforeEachCallback, AfterEachCallback {
  private final Queue<Throwable> dropped = new ConcurrentLinkedQueue<>();

  @Override
  public void beforeEach(ExtensionContext context) {
    dropped.clear();
    Hooks.onErrorDropped(dropped::add);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Hooks.resetOnErrorDropped();
    assertThat(dropped).as("errors that reached no subscriber").isEmpty();
  }
}
