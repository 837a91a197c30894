import { RequestMethod } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA } from '@nestjs/common/internal';
import type { ModulesContainer } from '@nestjs/core';
import { controllerMethods } from './controller-methods.ts';

/** Success is 200 unless a route declares another status (CONV-18); Nest would answer a POST with 201. Runs before the routes are created. */
export function postsAnswer200(modules: ModulesContainer): void {
  for (const { handler } of controllerMethods(modules)) {
    const isPost = Reflect.getMetadata(METHOD_METADATA, handler) === RequestMethod.POST;
    if (isPost && !Reflect.hasMetadata(HTTP_CODE_METADATA, handler))
      Reflect.defineMetadata(HTTP_CODE_METADATA, 200, handler);
  }
}
