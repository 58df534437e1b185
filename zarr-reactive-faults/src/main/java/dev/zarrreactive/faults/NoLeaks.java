package dev.zarrreactive.faults;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** After all tests of a class no buffer of Netty's may have been lost. */
public final class NoLeaks implements AfterAllCallback {
  @Override
  public void afterAll(ExtensionContext context) {
    assertThat(LeakWatch.leaks()).as("lost buffers").isEmpty();
  }
}
