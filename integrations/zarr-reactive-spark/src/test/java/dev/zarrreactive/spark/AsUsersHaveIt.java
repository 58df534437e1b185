package dev.zarrreactive.spark;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Runs the tests of a class with Spark's own settings, which {@link TestSpark} describes. */
final class AsUsersHaveIt implements BeforeAllCallback, AfterAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    TestSpark.asUsersHaveIt(true);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    TestSpark.asUsersHaveIt(false);
  }
}
