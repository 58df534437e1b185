package dev.zarrreactive.webflux.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what is wrong with a property, in place of a stack trace, when the service starts. */
final class BadConfigurationAnalyzer extends AbstractFailureAnalyzer<BadConfigurationException> {
  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, BadConfigurationException cause) {
    return new FailureAnalysis(
        "The Zarr hierarchy of this service cannot be opened: " + cause.getMessage(),
        "Correct zarr.location, the options zarr.store.* of its store, or the other properties"
            + " zarr.*. Modules such as zarr-reactive-http and zarr-reactive-s3 add the stores of"
            + " URLs.",
        cause);
  }
}
