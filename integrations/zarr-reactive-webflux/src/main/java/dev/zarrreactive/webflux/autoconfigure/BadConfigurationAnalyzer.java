package dev.zarrreactive.webflux.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what is wrong with a property, in place of a stack trace, when the service starts. */
final class BadConfigurationAnalyzer extends AbstractFailureAnalyzer<BadConfigurationException> {
  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, BadConfigurationException cause) {
    String prefix = cause.prefix();
    return new FailureAnalysis(
        "The Zarr hierarchy of "
            + (prefix.equals("zarr.") ? "this service" : prefix + "*")
            + " cannot be opened: "
            + cause.getMessage(),
        "Correct "
            + prefix
            + "location, the options "
            + prefix
            + "store.* of its store, or the other properties "
            + prefix
            + "*. Modules such as zarr-reactive-http and zarr-reactive-s3 add the stores of URLs.",
        cause);
  }
}
