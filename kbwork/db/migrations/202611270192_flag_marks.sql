-- Which version of each flag is served in an environment: whoever looks what moved reads this alone of configurations.
drop index flag_config_environment;
create index flag_config_environment on flag_config (environment, flag, version);
