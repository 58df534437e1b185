/** Sources of credentials that the option {@code credentials} of a store names. */
@NullMarked
package dev.zarrreactive.credentials;

import org.jspecify.annotations.NullMarked;
