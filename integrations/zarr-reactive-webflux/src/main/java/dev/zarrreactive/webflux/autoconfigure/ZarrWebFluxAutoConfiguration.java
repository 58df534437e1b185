package dev.zarrreactive.webflux.autoconfigure;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.webflux.ServedDataset;
import dev.zarrreactive.webflux.ZarrWebFlux;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.util.unit.DataSize;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.WebFilter;

/**
 * Registers the writers of slices, chunks and metadata, the readers of bodies, the handler of
 * errors, the filter that cancels bodies, the one by which a response reads one snapshot, and the
 * dataset at the root.
 */
@AutoConfiguration(after = ZarrAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
public final class ZarrWebFluxAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  ZarrWebFlux zarrWebFlux(ZarrProperties properties) {
    ZarrWebFlux slices = ZarrWebFlux.create().withMaxSlices(properties.slices());
    DataSize most = properties.maxSliceSize();
    return most == null ? slices : slices.withMaxSliceBytes(most.toBytes());
  }

  /** Returns the dataset at the root, which is opened when it is used. */
  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnSingleCandidate(ZarrHierarchy.class)
  ServedDataset zarrDataset(ZarrHierarchy hierarchy) {
    return ServedDataset.of(hierarchy, "");
  }

  @Bean
  @ConditionalOnMissingBean(name = "zarrErrors")
  WebExceptionHandler zarrErrors(ZarrProperties properties) {
    return ZarrWebFlux.errors(properties.retryAfter());
  }

  @Bean
  @ConditionalOnMissingBean(name = "zarrSnapshots")
  WebFilter zarrSnapshots() {
    return ZarrWebFlux.snapshots();
  }

  @Bean
  @ConditionalOnMissingBean(name = "zarrCancellation")
  WebFilter zarrCancellation() {
    return ZarrWebFlux.cancellation();
  }
}
