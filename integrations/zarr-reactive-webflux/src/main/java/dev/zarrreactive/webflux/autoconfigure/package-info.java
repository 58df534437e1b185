/** The auto-configuration for Spring Boot 3.5 and 4. It only takes what the service has. */
@NullMarked
package dev.zarrreactive.webflux.autoconfigure;

import org.jspecify.annotations.NullMarked;
