package dev.zarrreactive.webflux.autoconfigure;

import java.util.Map;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Holds where something tells the location of the hierarchy without a name: {@code zarr.location},
 * or a bean {@link ZarrConnectionDetails} where no name is below {@code zarr.stores}. With names,
 * such a bean may be for one of them, which no condition can ask it.
 */
final class OnLocation extends SpringBootCondition implements ConfigurationCondition {
  @Override
  public ConfigurationPhase getConfigurationPhase() {
    return ConfigurationPhase.REGISTER_BEAN;
  }

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    ConditionMessage.Builder message = ConditionMessage.forCondition("Zarr location");
    if (context.getEnvironment().containsProperty("zarr.location")) {
      return ConditionOutcome.match(message.foundExactly("zarr.location"));
    }
    boolean hasNames =
        Binder.get(context.getEnvironment())
                .bind("zarr.stores", Bindable.mapOf(String.class, Object.class))
                .orElse(Map.of())
                .size()
            > 0;
    ConfigurableListableBeanFactory beans = context.getBeanFactory();
    boolean hasDetails =
        beans != null
            && beans.getBeanNamesForType(ZarrConnectionDetails.class, true, false).length > 0;
    return !hasNames && hasDetails
        ? ConditionOutcome.match(message.foundExactly("a bean ZarrConnectionDetails"))
        : ConditionOutcome.noMatch(message.didNotFind("zarr.location").atAll());
  }
}
