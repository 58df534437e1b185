package dev.zarrreactive.faults;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails a test class that has lost a buffer of Netty. */
public final class NoLeaks implements AfterAllCallback {
  @Override
  public void afterAll(ExtensionContext context) {
    assertThat(LeakWatch.leaks()).as("lost buffers").isEmpty();
  }
}
