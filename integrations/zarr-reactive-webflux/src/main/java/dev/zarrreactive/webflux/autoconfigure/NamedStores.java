package dev.zarrreactive.webflux.autoconfigure;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.store.Store;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers a bean {@link ZarrHierarchy} for each name below {@code zarr.stores}, which is the name
 * of the bean, and one for its store. They are fallbacks: what the service has without a qualifier
 * is injected where none is asked for.
 */
final class NamedStores implements ImportBeanDefinitionRegistrar, EnvironmentAware {
  private static final String STORE = "Store";

  private Binder binder = new Binder();

  @Override
  public void setEnvironment(Environment environment) {
    binder = Binder.get(environment);
  }

  @Override
  public void registerBeanDefinitions(
      AnnotationMetadata importing, BeanDefinitionRegistry registry) {
    binder
        .bind("zarr.stores", Bindable.mapOf(String.class, ZarrProperties.Named.class))
        .ifBound(stores -> stores.keySet().forEach(name -> register(name, registry)));
  }

  private static void register(String name, BeanDefinitionRegistry registry) {
    RootBeanDefinition store = made("open", Store.class, name);
    store.setDestroyMethodName("close");
    store.setLazyInit(false); // so that no thread of a request waits for it
    store.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
    register(name + STORE, store, name, registry);
    RootBeanDefinition hierarchy = made("hierarchy", ZarrHierarchy.class, name);
    hierarchy
        .getConstructorArgumentValues()
        .addIndexedArgumentValue(1, new RuntimeBeanReference(name + STORE));
    register(name, hierarchy, name, registry);
  }

  private static RootBeanDefinition made(String method, Class<?> type, String name) {
    RootBeanDefinition bean = new RootBeanDefinition();
    bean.setTargetType(type);
    bean.setFactoryBeanName(ZarrAutoConfiguration.NAMED);
    bean.setFactoryMethodName(method);
    bean.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
    bean.setFallback(true);
    return bean;
  }

  private static void register(
      String bean, RootBeanDefinition made, String name, BeanDefinitionRegistry registry) {
    if (registry.containsBeanDefinition(bean)) {
      throw new BadConfigurationException(
          name,
          new IllegalArgumentException(
              "the service has another bean of the name \"" + bean + "\"; rename one of them"));
    }
    registry.registerBeanDefinition(bean, made);
  }
}
